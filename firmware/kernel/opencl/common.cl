/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Common and geometric functions (OpenCL C 6.12.4, 6.12.5).
 */
#include "base.clh"

#define COMMON(T, f, I, PI)                                                                 \
	OVER T clamp(T x, T low, T high) { return fmin(fmax(x, low), high); }               \
	VECTORS_3(T, clamp, T, T, T)                                                        \
	OVER T degrees(T x) { return (T)(180 / PI) * x; }                                   \
	VECTORS_1(T, degrees, T)                                                            \
	OVER T radians(T x) { return (T)(PI / 180) * x; }                                   \
	VECTORS_1(T, radians, T)                                                            \
	OVER T max(T x, T y) { return x < y ? y : x; }                                      \
	VECTORS_2(T, max, T, T)                                                             \
	OVER T min(T x, T y) { return y < x ? y : x; }                                      \
	VECTORS_2(T, min, T, T)                                                             \
	OVER T mix(T x, T y, T a) { return x + (y - x) * a; }                               \
	VECTORS_3(T, mix, T, T, T)                                                          \
	OVER T step(T edge, T x) { return x < edge ? (T)0 : (T)1; }                         \
	VECTORS_2(T, step, T, T)                                                            \
	OVER T smoothstep(T edge0, T edge1, T x)                                            \
	{                                                                                   \
		T t = clamp((x - edge0) / (edge1 - edge0), (T)0, (T)1);                     \
		return t * t * (3 - 2 * t);                                                 \
	}                                                                                   \
	VECTORS_3(T, smoothstep, T, T, T)                                                   \
	OVER T sign(T x) { return x > 0 ? (T)1 : x < 0 ? (T)-1 : x == 0 ? x : (T)0; }       \
	VECTORS_1(T, sign, T)

REALS(COMMON, 3.14159265358979323846)

#define SCALAR_FORMS(n, T)                                                                  \
	OVER T##n clamp(T##n x, T low, T high) { return clamp(x, (T##n)low, (T##n)high); }  \
	OVER T##n max(T##n x, T y) { return max(x, (T##n)y); }                              \
	OVER T##n min(T##n x, T y) { return min(x, (T##n)y); }                              \
	OVER T##n mix(T##n x, T##n y, T a) { return mix(x, y, (T##n)a); }                   \
	OVER T##n step(T edge, T##n x) { return step((T##n)edge, x); }                      \
	OVER T##n smoothstep(T edge0, T edge1, T##n x)                                      \
	{                                                                                   \
		return smoothstep((T##n)edge0, (T##n)edge1, x);                             \
	}

SIZES(SCALAR_FORMS, float)
SIZES(SCALAR_FORMS, double)

#define DOT(T, f, I, unused)                                                                \
	OVER T dot(T a, T b) { return a * b; }                                              \
	OVER T dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; }                        \
	OVER T dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }            \
	OVER T dot(T##4 a, T##4 b)                                                          \
	{                                                                                   \
		return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;                       \
	}                                                                                   \
	OVER T##3 cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }           \
	OVER T##4 cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), (T)0); }
REALS(DOT, 0)

/* A vector whose squares are too large or too small is scaled first. */
#define LENGTHS(V, T)                                                                       \
	OVER T length(V a)                                                                  \
	{                                                                                   \
		T square = dot(a, a);                                                       \
		if (isinf(square)) {                                                        \
			return sqrt(dot(a * (T)LITTLE_##T, a * (T)LITTLE_##T)) * (T)LARGE_##T; \
		}                                                                           \
		if (square < (T)TINY_##T) {                                                 \
			return sqrt(dot(a * (T)LARGE_##T, a * (T)LARGE_##T)) * (T)LITTLE_##T; \
		}                                                                           \
		return sqrt(square);                                                        \
	}                                                                                   \
	OVER T distance(V a, V b) { return length(a - b); }                                 \
	OVER V normalize(V a)                                                               \
	{                                                                                   \
		T all = length(a);                                                          \
		return all == 0 ? a : a / all;                                              \
	}

#define LITTLE_float  0x1p-65f
#define LARGE_float   0x1p+65f
#define TINY_float    0x1p-100f
#define LITTLE_double 0x1p-515
#define LARGE_double  0x1p+515
#define TINY_double   0x1p-900

LENGTHS(float, float)
LENGTHS(float2, float)
LENGTHS(float3, float)
LENGTHS(float4, float)
LENGTHS(double, double)
LENGTHS(double2, double)
LENGTHS(double3, double)
LENGTHS(double4, double)

#define FAST_LENGTHS(V)                                                                     \
	OVER float fast_length(V a) { return sqrt(dot(a, a)); }                             \
	OVER float fast_distance(V a, V b) { return fast_length(a - b); }                   \
	OVER V fast_normalize(V a) { return a * rsqrt(dot(a, a)); }

FAST_LENGTHS(float)
FAST_LENGTHS(float2)
FAST_LENGTHS(float3)
FAST_LENGTHS(float4)
