/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Integer functions (OpenCL C 6.12.3).
 */
#include "base.clh"

#define BITS(T)   ((int)sizeof(T) * 8)
#define SIGNED(T) ((T)-1 < (T)0)
#define MOST(T)   ((T)(SIGNED(T) ? ((ulong)1 << (BITS(T) - 1)) - 1 : ~(ulong)0))
#define LEAST(T)  ((T)(SIGNED(T) ? (T)1 << (BITS(T) - 1) : (T)0))

/* On all types: a scalar function and those on vectors; U is the unsigned type. */
#define SIMPLE(T, U, unused)                                                                \
	OVER U abs(T x) { return (U)(x < (T)0 ? -(U)x : (U)x); }                            \
	VECTORS_1(U, abs, T)                                                                \
	OVER U abs_diff(T x, T y) { return (U)(x > y ? (U)x - (U)y : (U)y - (U)x); }        \
	VECTORS_2(U, abs_diff, T, T)                                                        \
	OVER T max(T x, T y) { return x < y ? y : x; }                                      \
	VECTORS_2(T, max, T, T)                                                             \
	OVER T min(T x, T y) { return y < x ? y : x; }                                      \
	VECTORS_2(T, min, T, T)                                                             \
	OVER T clamp(T x, T low, T high) { return min(max(x, low), high); }                 \
	VECTORS_3(T, clamp, T, T, T)                                                        \
	OVER T hadd(T x, T y) { return (T)((x & y) + ((x ^ y) >> 1)); }                     \
	VECTORS_2(T, hadd, T, T)                                                            \
	OVER T rhadd(T x, T y) { return (T)((x | y) - ((x ^ y) >> 1)); }                    \
	VECTORS_2(T, rhadd, T, T)                                                           \
	OVER T popcount(T x) { return (T)__builtin_popcountl((ulong)(U)x); }               \
	VECTORS_1(T, popcount, T)                                                           \
	OVER T clz(T x)                                                                     \
	{                                                                                   \
		return (T)(x ? __builtin_clzl((ulong)(U)x) - (64 - BITS(T)) : BITS(T));    \
	}                                                                                   \
	VECTORS_1(T, clz, T)                                                                \
	OVER T ctz(T x) { return (T)(x ? __builtin_ctzl((ulong)(U)x) : BITS(T)); }          \
	VECTORS_1(T, ctz, T)                                                                \
	OVER T rotate(T x, T count)                                                         \
	{                                                                                   \
		U left = (U)count & (U)(BITS(T) - 1);                                       \
		U right = (U)(BITS(T) - (int)left) & (U)(BITS(T) - 1);                      \
		return (T)((U)((U)x << left) | (U)((U)x >> right));                         \
	}                                                                                   \
	VECTORS_2(T, rotate, T, T)


#define SCALAR_LIMIT(n, T)                                                                  \
	OVER T##n max(T##n x, T y) { return max(x, (T##n)y); }                              \
	OVER T##n min(T##n x, T y) { return min(x, (T##n)y); }                              \
	OVER T##n clamp(T##n x, T low, T high) { return clamp(x, (T##n)low, (T##n)high); }
#define SCALAR_LIMITS(T, U, unused) SIZES(SCALAR_LIMIT, T)

INTEGERS(SIMPLE, 0)
INTEGERS(SCALAR_LIMITS, 0)

/* The upper half of a product. W is a type of twice the size. */
#define HIGH(T, W)                                                                          \
	OVER T mul_hi(T x, T y) { return (T)(((W)x * (W)y) >> BITS(T)); }                   \
	VECTORS_2(T, mul_hi, T, T)

HIGH(char, int)
HIGH(uchar, int)
HIGH(short, int)
HIGH(ushort, uint)
HIGH(int, long)
HIGH(uint, ulong)

OVER ulong mul_hi(ulong x, ulong y)
{
	ulong x0 = (uint)x, x1 = x >> 32, y0 = (uint)y, y1 = y >> 32;
	ulong middle = x1 * y0 + (x0 * y0 >> 32);
	ulong other = x0 * y1 + (uint)middle;

	return x1 * y1 + (middle >> 32) + (other >> 32);
}
VECTORS_2(ulong, mul_hi, ulong, ulong)

OVER long mul_hi(long x, long y)
{
	ulong high = mul_hi((ulong)x, (ulong)y);

	return (long)(high - (x < 0 ? (ulong)y : 0) - (y < 0 ? (ulong)x : 0));
}
VECTORS_2(long, mul_hi, long, long)

/* mad_sat: the product's two halves, z added to both; it fits if the upper half is only sign. */
#define SATURATING(T, U, unused)                                                            \
	OVER T add_sat(T x, T y)                                                            \
	{                                                                                   \
		T sum;                                                                      \
		return __builtin_add_overflow(x, y, &sum) ? y < (T)0 ? LEAST(T) : MOST(T) : sum; \
	}                                                                                   \
	VECTORS_2(T, add_sat, T, T)                                                         \
	OVER T sub_sat(T x, T y)                                                            \
	{                                                                                   \
		T rest;                                                                     \
		return !__builtin_sub_overflow(x, y, &rest)	? rest                      \
		       : SIGNED(T) && y < (T)0		? MOST(T)                           \
							: LEAST(T);                         \
	}                                                                                   \
	VECTORS_2(T, sub_sat, T, T)                                                         \
	OVER T mad_hi(T x, T y, T z) { return (T)((U)mul_hi(x, y) + (U)z); }                \
	VECTORS_3(T, mad_hi, T, T, T)                                                       \
	OVER T mad_sat(T x, T y, T z)                                                       \
	{                                                                                   \
		U low = (U)((U)x * (U)y);                                                   \
		U sum = (U)(low + (U)z);                                                    \
		T high = (T)((U)mul_hi(x, y) + (U)(z < (T)0 ? -1 : 0) + (U)(sum < low));    \
		T fits = (T)(SIGNED(T) && (T)sum < (T)0 ? -1 : 0);                          \
		return high == fits ? (T)sum : high < (T)0 ? LEAST(T) : MOST(T);            \
	}                                                                                   \
	VECTORS_3(T, mad_sat, T, T, T)

INTEGERS(SATURATING, 0)

/* The low half of products, which may have 48 bits. */
#define MULTIPLY_24(T)                                                                      \
	OVER T mul24(T x, T y) { return (T)((uint)x * (uint)y); }                           \
	VECTORS_2(T, mul24, T, T)                                                           \
	OVER T mad24(T x, T y, T z) { return (T)((uint)x * (uint)y + (uint)z); }            \
	VECTORS_3(T, mad24, T, T, T)

MULTIPLY_24(int)
MULTIPLY_24(uint)

#define UPSAMPLE(R, H, L)                                                                   \
	OVER R upsample(H high, L low)                                                      \
	{                                                                                   \
		return (R)(((ulong)high << BITS(L)) | (ulong)low);                          \
	}                                                                                   \
	VECTORS_2(R, upsample, H, L)

UPSAMPLE(short, char, uchar)
UPSAMPLE(ushort, uchar, uchar)
UPSAMPLE(int, short, ushort)
UPSAMPLE(uint, ushort, ushort)
UPSAMPLE(long, int, uint)
UPSAMPLE(ulong, uint, uint)
