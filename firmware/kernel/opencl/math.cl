/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Mathematical functions (OpenCL C 6.12.2) that are those of the C library, and what is made of
 * them. half_ and native_ functions are the exact ones.
 */
#include "base.clh"

#define C_1(T, f, I, name) T cl_##name##f(T) __asm__(#name #f);
#define C_2(T, f, I, name) T cl_##name##f(T, T) __asm__(#name #f);

/* A function of the C library with one argument, or two, for float, double and vectors. */
#define SAME_1(name)       REALS(C_1, name) REALS(LIBRARY_1, name)
#define SAME_2(name)       REALS(C_2, name) REALS(LIBRARY_2, name)
#define LIBRARY_1(T, f, I, name)                                                            \
	OVER T name(T x) { return cl_##name##f(x); }                                        \
	VECTORS_1(T, name, T)
#define LIBRARY_2(T, f, I, name)                                                            \
	OVER T name(T x, T y) { return cl_##name##f(x, y); }                                \
	VECTORS_2(T, name, T, T)

SAME_1(acos)
SAME_1(acosh)
SAME_1(asin)
SAME_1(asinh)
SAME_1(atan)
SAME_1(atanh)
SAME_1(cbrt)
SAME_1(ceil)
SAME_1(cos)
SAME_1(cosh)
SAME_1(erf)
SAME_1(erfc)
SAME_1(exp)
SAME_1(exp2)
SAME_1(exp10)
SAME_1(expm1)
SAME_1(floor)
SAME_1(log)
SAME_1(log2)
SAME_1(log10)
SAME_1(log1p)
SAME_1(logb)
SAME_1(rint)
SAME_1(round)
SAME_1(sin)
SAME_1(sinh)
SAME_1(tan)
SAME_1(tanh)
SAME_2(atan2)
SAME_2(fmod)
SAME_2(hypot)
SAME_2(nextafter)
SAME_2(pow)
SAME_2(remainder)

/* What the compiler makes an instruction of, where the core has one. */
#define BUILTIN_1(T, f, I, name)                                                            \
	OVER T name(T x) { return __builtin_##name##f(x); }                                 \
	VECTORS_1(T, name, T)
#define BUILTIN_2(T, f, I, name)                                                            \
	OVER T name(T x, T y) { return __builtin_##name##f(x, y); }                         \
	VECTORS_2(T, name, T, T)
#define EXACT(T, f, I, unused)                                                              \
	OVER T fma(T x, T y, T z) { return __builtin_fma##f(x, y, z); }                     \
	VECTORS_3(T, fma, T, T, T)                                                          \
	OVER T mad(T x, T y, T z) { return x * y + z; }                                     \
	VECTORS_3(T, mad, T, T, T)                                                          \
	OVER T rsqrt(T x) { return 1 / __builtin_sqrt##f(x); }                              \
	VECTORS_1(T, rsqrt, T)                                                              \
	OVER T trunc(T x) { return copysign(floor(fabs(x)), x); }                           \
	VECTORS_1(T, trunc, T)                                                              \
	OVER T fdim(T x, T y) { return x > y ? x - y : x <= y ? (T)0 : x + y; }             \
	VECTORS_2(T, fdim, T, T)                                                            \
	OVER T maxmag(T x, T y)                                                             \
	{                                                                                   \
		return fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y);          \
	}                                                                                   \
	VECTORS_2(T, maxmag, T, T)                                                          \
	OVER T minmag(T x, T y)                                                             \
	{                                                                                   \
		return fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y);          \
	}                                                                                   \
	VECTORS_2(T, minmag, T, T)

/* pow of numbers that are not negative. */
#define POWR(T, f, I, unused)                                                               \
	OVER T powr(T x, T y)                                                               \
	{                                                                                   \
		bool none = !(x >= 0) || isnan(y) || (x == 1 && isinf(y)) ||                \
			    (y == 0 && (x == 0 || isinf(x)));                               \
		return none ? (T)NAN : pow(fabs(x), y);                                     \
	}                                                                                   \
	VECTORS_2(T, powr, T, T)

REALS(BUILTIN_1, fabs)
REALS(BUILTIN_1, sqrt)
REALS(BUILTIN_2, copysign)
REALS(BUILTIN_2, fmax)
REALS(BUILTIN_2, fmin)
REALS(EXACT, 0)
REALS(POWR, 0)

#define SCALAR_LIMIT(n, T)                                                                  \
	OVER T##n fmax(T##n x, T y) { return fmax(x, (T##n)y); }                            \
	OVER T##n fmin(T##n x, T y) { return fmin(x, (T##n)y); }
SIZES(SCALAR_LIMIT, float)
SIZES(SCALAR_LIMIT, double)

/* half_ and native_ are for float only. */
#define LIKE_1(name, exact)                                                                 \
	OVER float name(float x) { return exact(x); }                                       \
	VECTORS_1(float, name, float)
#define LIKE_2(name, exact)                                                                 \
	OVER float name(float x, float y) { return exact(x, y); }                           \
	VECTORS_2(float, name, float, float)
#define QUICK_1(name) LIKE_1(half_##name, name) LIKE_1(native_##name, name)
#define DIVIDE(x, y)  ((x) / (y))
#define RECIP(x)      (1 / (x))

QUICK_1(cos)
QUICK_1(exp)
QUICK_1(exp2)
QUICK_1(exp10)
QUICK_1(log)
QUICK_1(log2)
QUICK_1(log10)
QUICK_1(rsqrt)
QUICK_1(sin)
QUICK_1(sqrt)
QUICK_1(tan)
LIKE_1(half_recip, RECIP)
LIKE_1(native_recip, RECIP)
LIKE_2(half_divide, DIVIDE)
LIKE_2(native_divide, DIVIDE)
LIKE_2(half_powr, powr)
LIKE_2(native_powr, powr)
