/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Relational functions (OpenCL C 6.12.6). True is 1 of a scalar, and -1 in an element of a vector.
 */
#include "base.clh"

/* The scalar of a double answers with an int, its vectors with longs: I is that of the vectors. */
#define HALVES_TEST_1(n, T, I, name)                                                        \
	OVER I##n name(T##n x) { return (I##n)(name(x.lo), name(x.hi)); }
#define TEST_1(T, I, name, expression)                                                      \
	OVER int name(T x) { return expression; }                                           \
	OVER I##2 name(T##2 x) { return (I##2)(-name(x.x), -name(x.y)); }                   \
	OVER I##3 name(T##3 x) { return (I##3)(-name(x.x), -name(x.y), -name(x.z)); }       \
	HALVES_TEST_1(4, T, I, name)                                                        \
	HALVES_TEST_1(8, T, I, name)                                                        \
	HALVES_TEST_1(16, T, I, name)

#define HALVES_TEST_2(n, T, I, name)                                                        \
	OVER I##n name(T##n x, T##n y) { return (I##n)(name(x.lo, y.lo), name(x.hi, y.hi)); }
#define TEST_2(T, I, name, expression)                                                      \
	OVER int name(T x, T y) { return expression; }                                      \
	OVER I##2 name(T##2 x, T##2 y) { return (I##2)(-name(x.x, y.x), -name(x.y, y.y)); } \
	OVER I##3 name(T##3 x, T##3 y)                                                      \
	{                                                                                   \
		return (I##3)(-name(x.x, y.x), -name(x.y, y.y), -name(x.z, y.z));           \
	}                                                                                   \
	HALVES_TEST_2(4, T, I, name)                                                        \
	HALVES_TEST_2(8, T, I, name)                                                        \
	HALVES_TEST_2(16, T, I, name)

#define TESTS(T, f, I, unused)                                                              \
	TEST_1(T, I, isnan, x != x)                                                         \
	TEST_1(T, I, isinf, __builtin_fabs##f(x) == (T)INFINITY)                            \
	TEST_1(T, I, isfinite, __builtin_fabs##f(x) < (T)INFINITY)                          \
	TEST_1(T, I, isnormal, __builtin_isnormal(x))                                       \
	TEST_1(T, I, signbit, (as_##I(x) < 0))                                              \
	TEST_2(T, I, isequal, x == y)                                                       \
	TEST_2(T, I, isnotequal, x != y)                                                    \
	TEST_2(T, I, isgreater, x > y)                                                      \
	TEST_2(T, I, isgreaterequal, x >= y)                                                \
	TEST_2(T, I, isless, x < y)                                                         \
	TEST_2(T, I, islessequal, x <= y)                                                   \
	TEST_2(T, I, islessgreater, x < y || x > y)                                         \
	TEST_2(T, I, isordered, x == x && y == y)                                           \
	TEST_2(T, I, isunordered, x != x || y != y)
REALS(TESTS, 0)

/* By the highest bit of each element. */
#define ANY_ALL(T)                                                                          \
	OVER int any(T x) { return x < 0; }                                                 \
	OVER int all(T x) { return x < 0; }                                                 \
	OVER int any(T##2 x) { return any((T)(x.x | x.y)); }                                \
	OVER int all(T##2 x) { return all((T)(x.x & x.y)); }                                \
	OVER int any(T##3 x) { return any((T)(x.x | x.y | x.z)); }                          \
	OVER int all(T##3 x) { return all((T)(x.x & x.y & x.z)); }                          \
	OVER int any(T##4 x) { return any(x.lo | x.hi); }                                   \
	OVER int all(T##4 x) { return all(x.lo & x.hi); }                                   \
	OVER int any(T##8 x) { return any(x.lo | x.hi); }                                   \
	OVER int all(T##8 x) { return all(x.lo & x.hi); }                                   \
	OVER int any(T##16 x) { return any(x.lo | x.hi); }                                  \
	OVER int all(T##16 x) { return all(x.lo & x.hi); }
ANY_ALL(char)
ANY_ALL(short)
ANY_ALL(int)
ANY_ALL(long)

#define BITSELECT_OF(V, U)                                                                  \
	OVER V bitselect(V a, V b, V mask)                                                  \
	{                                                                                   \
		U m = as_##U(mask);                                                         \
		return as_##V((U)((as_##U(a) & (U)~m) | (as_##U(b) & m)));                  \
	}
#define BITSELECT_SIZE(n, T, U) BITSELECT_OF(T##n, U##n)
#define BITSELECT(T, U, unused) BITSELECT_OF(T, U) SIZES(BITSELECT_SIZE, T, U)
INTEGERS(BITSELECT, 0)
BITSELECT(float, uint, 0)
BITSELECT(double, ulong, 0)

/* Of a scalar: c is not 0. Of an element of a vector: its highest bit. */
#define SELECT_SIZE(n, T, C, S)                                                             \
	OVER T##n select(T##n a, T##n b, C##n c) { return as_##S##n(c) < (S##n)0 ? b : a; }
#define SELECT(T, C, S)                                                                     \
	OVER T select(T a, T b, C c) { return c ? b : a; }                                  \
	SIZES(SELECT_SIZE, T, C, S)
#define SELECTS(T, S, U) SELECT(T, S, S) SELECT(T, U, S)
SELECTS(char, char, uchar)
SELECTS(uchar, char, uchar)
SELECTS(short, short, ushort)
SELECTS(ushort, short, ushort)
SELECTS(int, int, uint)
SELECTS(uint, int, uint)
SELECTS(long, long, ulong)
SELECTS(ulong, long, ulong)
SELECTS(float, int, uint)
SELECTS(double, long, ulong)
