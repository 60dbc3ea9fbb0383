/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * convert_TYPE, with _sat and rounding (OpenCL C 6.2.3).
 */
#include "base.clh"

#define SIGNED(T) ((T)-1 < (T)0)
#define MOST(T)   ((T)(SIGNED(T) ? ((ulong)1 << (sizeof(T) * 8 - 1)) - 1 : ~(ulong)0))
#define LEAST(T)  ((T)(SIGNED(T) ? (T)1 << (sizeof(T) * 8 - 1) : (T)0))

#define HALVES(n, h, T, suffix, S)                                                          \
	OVER T##n convert_##T##n##suffix(S##n x)                                            \
	{                                                                                   \
		return (T##n)(convert_##T##h##suffix(x.lo), convert_##T##h##suffix(x.hi));  \
	}
/* The scalar function and those on vectors. */
#define CONVERT(T, suffix, S, value)                                                        \
	OVER T convert_##T##suffix(S x) { return value; }                                   \
	HALVES(2, , T, suffix, S)                                                           \
	OVER T##3 convert_##T##3##suffix(S##3 x)                                            \
	{                                                                                   \
		return (T##3)(convert_##T##suffix(x.x), convert_##T##suffix(x.y),           \
			      convert_##T##suffix(x.z));                                    \
	}                                                                                   \
	HALVES(4, 2, T, suffix, S)                                                          \
	HALVES(8, 4, T, suffix, S)                                                          \
	HALVES(16, 8, T, suffix, S)

/* From an integer to an integer there is nothing to round. */
#define ALL_ROUNDS(T, sat, S, value)                                                        \
	CONVERT(T, sat, S, value)                                                           \
	CONVERT(T, sat##_rte, S, value)                                                     \
	CONVERT(T, sat##_rtz, S, value)                                                     \
	CONVERT(T, sat##_rtp, S, value)                                                     \
	CONVERT(T, sat##_rtn, S, value)
#define SATURATED(T, S)                                                                     \
	(SIGNED(S) && x < (S)0 ? SIGNED(T) ? (long)x < (long)LEAST(T) ? LEAST(T) : (T)x : (T)0 \
	 : (ulong)x > (ulong)MOST(T) ? MOST(T)                                              \
				     : (T)x)
#define INTEGER_INTEGER(S, U, T)                                                            \
	ALL_ROUNDS(T, , S, (T)x)                                                            \
	ALL_ROUNDS(T, _sat, S, SATURATED(T, S))

/* From a real number: toward zero unless said otherwise; saturated, NaN is 0. */
#define SATURATED_REAL(T, S, whole)                                                         \
	(x != x ? (T)0 : whole <= (S)LEAST(T) ? LEAST(T) : whole >= (S)MOST(T) ? MOST(T) : (T)whole)
#define REAL_INTEGER(S, f, I, T)                                                            \
	CONVERT(T, , S, (T)x)                                                               \
	CONVERT(T, _rtz, S, (T)x)                                                           \
	CONVERT(T, _rte, S, (T)rint(x))                                                     \
	CONVERT(T, _rtp, S, (T)ceil(x))                                                     \
	CONVERT(T, _rtn, S, (T)floor(x))                                                    \
	CONVERT(T, _sat, S, SATURATED_REAL(T, S, trunc(x)))                                 \
	CONVERT(T, _sat_rtz, S, SATURATED_REAL(T, S, trunc(x)))                             \
	CONVERT(T, _sat_rte, S, SATURATED_REAL(T, S, rint(x)))                              \
	CONVERT(T, _sat_rtp, S, SATURATED_REAL(T, S, ceil(x)))                              \
	CONVERT(T, _sat_rtn, S, SATURATED_REAL(T, S, floor(x)))

#define TO_INTEGER(T)                                                                     \
	INTEGER_INTEGER(char, uchar, T)                                                     \
	INTEGER_INTEGER(uchar, uchar, T)                                                    \
	INTEGER_INTEGER(short, ushort, T)                                                   \
	INTEGER_INTEGER(ushort, ushort, T)                                                  \
	INTEGER_INTEGER(int, uint, T)                                                       \
	INTEGER_INTEGER(uint, uint, T)                                                      \
	INTEGER_INTEGER(long, ulong, T)                                                     \
	INTEGER_INTEGER(ulong, ulong, T)                                                    \
	REAL_INTEGER(float, f, int, T)                                                      \
	REAL_INTEGER(double, , long, T)

TO_INTEGER(char)
TO_INTEGER(uchar)
TO_INTEGER(short)
TO_INTEGER(ushort)
TO_INTEGER(int)
TO_INTEGER(uint)
TO_INTEGER(long)
TO_INTEGER(ulong)

/* The nearest number, and whether it is above or below what was converted. `error` is its sign. */
#define ADJUST(T)                                                                           \
	static T towards_zero_##T(T near, int error)                                        \
	{                                                                                   \
		return (near > 0 && error > 0) || (near < 0 && error < 0) ? nextafter(near, (T)0) \
									  : near;           \
	}                                                                                   \
	static T upwards_##T(T near, int error)                                             \
	{                                                                                   \
		return error < 0 ? nextafter(near, (T)INFINITY) : near;                     \
	}                                                                                   \
	static T downwards_##T(T near, int error)                                           \
	{                                                                                   \
		return error > 0 ? nextafter(near, -(T)INFINITY) : near;                    \
	}
ADJUST(float)
ADJUST(double)

#define ROUNDED(T, S)                                                                       \
	CONVERT(T, , S, (T)x)                                                               \
	CONVERT(T, _rte, S, (T)x)                                                           \
	CONVERT(T, _rtz, S, towards_zero_##T((T)x, error_of((T)x, x)))                      \
	CONVERT(T, _rtp, S, upwards_##T((T)x, error_of((T)x, x)))                           \
	CONVERT(T, _rtn, S, downwards_##T((T)x, error_of((T)x, x)))

/* A power of two that S has not: the nearest number to the largest ones of S. */
#define ERROR_OF_INTEGER(T, S)                                                              \
	static OVER int error_of(T near, S x)                                               \
	{                                                                                   \
		S back;                                                                     \
		if (near >= (T)MOST(S)) {                                                   \
			return (T)MOST(S) == (T)(MOST(S) - 1) || x != MOST(S);              \
		}                                                                           \
		back = (S)near;                                                             \
		return back > x ? 1 : back < x ? -1 : 0;                                    \
	}
#define FROM_INTEGER(S, U, T) ERROR_OF_INTEGER(T, S) ROUNDED(T, S)
INTEGERS(FROM_INTEGER, float)
INTEGERS(FROM_INTEGER, double)

static OVER int error_of(float near, double x)
{
	return (double)near > x ? 1 : (double)near < x ? -1 : 0;
}

ROUNDED(float, double)
ALL_ROUNDS(float, , float, x)
ALL_ROUNDS(double, , float, (double)x)
ALL_ROUNDS(double, , double, x)
