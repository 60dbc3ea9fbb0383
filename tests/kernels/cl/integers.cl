/* SPDX-License-Identifier: Apache-2.0 */
/* Integer functions on all types: results as 64-bit words, for comparison with Python. */
#define ROW 20

#define SCALARS(T)                                                                      \
	__kernel void integers_##T(__global const T *a, __global const T *b,            \
				   __global const T *c, __global ulong *out)            \
	{                                                                               \
		size_t i = get_global_id(0);                                            \
		T x = a[i], y = b[i], z = c[i];                                         \
		__global ulong *row = out + ROW * i;                                    \
                                                                                        \
		row[0] = abs(x);                                                        \
		row[1] = abs_diff(x, y);                                                \
		row[2] = (ulong)add_sat(x, y);                                          \
		row[3] = (ulong)sub_sat(x, y);                                          \
		row[4] = (ulong)hadd(x, y);                                             \
		row[5] = (ulong)rhadd(x, y);                                            \
		row[6] = (ulong)clz(x);                                                 \
		row[7] = (ulong)popcount(x);                                            \
		row[8] = (ulong)mul_hi(x, y);                                           \
		row[9] = (ulong)mad_hi(x, y, z);                                        \
		row[10] = (ulong)mad_sat(x, y, z);                                      \
		row[11] = (ulong)rotate(x, y);                                          \
		row[12] = (ulong)max(x, y);                                             \
		row[13] = (ulong)min(x, y);                                             \
		row[14] = (ulong)clamp(x, min(y, z), max(y, z));                        \
		row[15] = (ulong)bitselect(x, y, z);                                    \
		row[16] = (ulong)select((T##2)(x, y), (T##2)(y, x), (T##2)(z, x)).x;    \
		row[17] = (ulong)(mad_sat((T##3)(z, y, x), (T##3)y, (T##3)(x, x, z))).z; \
		row[18] = (ulong)rotate((T##16)x, (T##16)y).sf;                         \
		row[19] = (ulong)vload3(0, a + i).x;                                    \
	}

SCALARS(char)
SCALARS(uchar)
SCALARS(short)
SCALARS(ushort)
SCALARS(int)
SCALARS(uint)
SCALARS(long)
SCALARS(ulong)

__kernel void products_24(__global const int *a, __global const uint *b, __global int *out)
{
	size_t i = get_global_id(0);

	out[4 * i] = mul24(a[i], a[i + 1]);
	out[4 * i + 1] = mad24(a[i], a[i + 1], a[i]);
	out[4 * i + 2] = mul24(b[i], b[i + 1]);
	out[4 * i + 3] = upsample((short)a[i], (ushort)b[i]);
}

#define QUOTIENTS(T)                                                                              \
	__kernel void quotients_##T(__global const T *a, __global const T *b, __global T *out)    \
	{                                                                                         \
		size_t i = get_global_id(0);                                                      \
		vstore16(vload16(i, a) / vload16(i, b), i, out);                                  \
		vstore16(vload16(i, a) % vload16(i, b), i + get_global_size(0), out);             \
	}

QUOTIENTS(char)
QUOTIENTS(uchar)
QUOTIENTS(short)
QUOTIENTS(ushort)
QUOTIENTS(int)
QUOTIENTS(uint)
QUOTIENTS(long)
QUOTIENTS(ulong)
