/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Numbers of 16 bits in memory: vload_half, vstore_half and their like (OpenCL C 6.12.7).
 */
#include "base.clh"

enum { NEAREST, TO_ZERO, UP, DOWN };

static float from_half(ushort h)
{
	uint sign = (uint)(h & 0x8000) << 16, exponent = (h >> 10) & 31, fraction = h & 0x3ff;

	if (exponent == 0) {
		return as_float(sign | as_uint((float)fraction * 0x1p-24f));
	}
	exponent = exponent == 31 ? 0x7f800000 : (exponent + 112) << 23;
	return as_float(sign | exponent | fraction << 13);
}

/* Infinity, or the largest number where the mode does not round away from zero. */
static ushort overflowed(int negative, int mode)
{
	int up = mode == NEAREST || (mode == UP && !negative) || (mode == DOWN && negative);

	return up ? 0x7c00 : 0x7bff;
}

static ushort magnitude(uint bits, int negative, int mode)
{
	int exponent = (int)(bits >> 23) - 127;
	uint fraction = (bits & 0x7fffff) | (bits >> 23 ? 0x800000 : 0);
	int shift = exponent >= -14 ? 13 : min(-1 - exponent, 25);
	uint rest = fraction & ((1u << shift) - 1), middle = 1u << (shift - 1);
	uint h = fraction >> shift;

	if (exponent > 15) {
		return overflowed(negative, mode);
	}
	if (exponent >= -14) {
		h += (uint)(exponent + 14) << 10;
	}
	if (mode == NEAREST ? rest > middle || (rest == middle && (h & 1))
			    : rest && ((mode == UP && !negative) || (mode == DOWN && negative))) {
		h++;
	}
	return h >= 0x7c00 ? overflowed(negative, mode) : (ushort)h;
}

static OVER ushort to_half(float x, int mode)
{
	uint bits = as_uint(x);
	ushort sign = (ushort)(bits >> 16 & 0x8000);

	bits &= 0x7fffffff;
	if (bits >= 0x7f800000) {
		return sign | 0x7c00 | (bits > 0x7f800000 ? 0x200 | (bits >> 13 & 0x3ff) : 0);
	}
	return sign | magnitude(bits, sign != 0, mode);
}

/* Through a float that is rounded to odd, so that it is not rounded twice. */
static OVER ushort to_half(double x, int mode)
{
	float near = convert_float_rtz(x);

	return to_half((double)near == x || x != x ? near : as_float(as_uint(near) | 1), mode);
}

#define LOAD_SIZE(n, space)                                                                 \
	OVER float##n vload_half##n(size_t i, const space half *p)                          \
	{                                                                                   \
		const space ushort *from = (const space ushort *)p + n * i;                 \
		float##n result;                                                            \
		for (int k = 0; k < n; k++) {                                               \
			result[k] = from_half(from[k]);                                     \
		}                                                                           \
		return result;                                                              \
	}                                                                                   \
	OVER float##n vloada_half##n(size_t i, const space half *p)                         \
	{                                                                                   \
		return vload_half##n(0, (const space half *)((const space ushort *)p +      \
							     (n == 3 ? 4 : n) * i));        \
	}
#define LOADS(space)                                                                        \
	OVER float vload_half(size_t i, const space half *p)                                \
	{                                                                                   \
		return from_half(((const space ushort *)p)[i]);                             \
	}                                                                                   \
	OVER float vloada_half(size_t i, const space half *p) { return vload_half(i, p); }  \
	SIZES(LOAD_SIZE, space)

LOADS(global)
LOADS(local)
LOADS(private)
LOADS(constant)

#define STORE_SIZE(n, T, space, suffix, mode)                                               \
	OVER void vstore_half##n##suffix(T##n v, size_t i, space half *p)                   \
	{                                                                                   \
		space ushort *to = (space ushort *)p + n * i;                               \
		for (int k = 0; k < n; k++) {                                               \
			to[k] = to_half(v[k], mode);                                        \
		}                                                                           \
	}                                                                                   \
	OVER void vstorea_half##n##suffix(T##n v, size_t i, space half *p)                  \
	{                                                                                   \
		vstore_half##n##suffix(v, 0, (space half *)((space ushort *)p +             \
							    (n == 3 ? 4 : n) * i));         \
	}
#define STORE_ROUNDED(T, space, suffix, mode)                                               \
	OVER void vstore_half##suffix(T v, size_t i, space half *p)                         \
	{                                                                                   \
		((space ushort *)p)[i] = to_half(v, mode);                                  \
	}                                                                                   \
	OVER void vstorea_half##suffix(T v, size_t i, space half *p)                        \
	{                                                                                   \
		vstore_half##suffix(v, i, p);                                               \
	}                                                                                   \
	SIZES(STORE_SIZE, T, space, suffix, mode)
#define STORES(T, space)                                                                    \
	STORE_ROUNDED(T, space, , NEAREST)                                                  \
	STORE_ROUNDED(T, space, _rte, NEAREST)                                              \
	STORE_ROUNDED(T, space, _rtz, TO_ZERO)                                              \
	STORE_ROUNDED(T, space, _rtp, UP)                                                   \
	STORE_ROUNDED(T, space, _rtn, DOWN)

STORES(float, global)
STORES(float, local)
STORES(float, private)
STORES(double, global)
STORES(double, local)
STORES(double, private)
