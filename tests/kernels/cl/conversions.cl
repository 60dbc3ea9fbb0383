/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions with rounding and saturation, half numbers, shuffles. */
#define FROM(S)                                                                          \
	__kernel void from_##S(__global const S *in, __global long *out)                 \
	{                                                                                \
		S x = in[get_global_id(0)];                                              \
		__global long *row = out + 12 * get_global_id(0);                        \
                                                                                         \
		row[0] = convert_char_sat(x);                                            \
		row[1] = convert_uchar_sat_rte(x);                                       \
		row[2] = convert_short_sat_rtp(x);                                       \
		row[3] = convert_ushort_sat_rtn(x);                                      \
		row[4] = convert_int_sat(x);                                             \
		row[5] = convert_uint_sat_rte((S)x);                                     \
		row[6] = convert_long_sat_rtn(x);                                        \
		row[7] = (long)convert_ulong_sat_rtp(x);                                 \
		row[8] = as_int(convert_float_rtz(x));                                   \
		row[9] = as_int(convert_float_rtp(x));                                   \
		row[10] = as_int(convert_float_rtn(x));                                  \
		row[11] = convert_int4_sat((S##4)x).z + as_int(convert_float8((S##8)x).s7); \
	}
FROM(char)
FROM(ushort)
FROM(int)
FROM(uint)
FROM(long)
FROM(ulong)
FROM(float)
FROM(double)

__kernel void halves(__global const float *in, __global half *out, __global float *back)
{
	size_t i = get_global_id(0);

	vstore_half(in[i], 5 * i, out);
	vstore_half_rtz(in[i], 5 * i + 1, out);
	vstore_half_rtp(in[i], 5 * i + 2, out);
	vstore_half_rtn((double)in[i], 5 * i + 3, out);
	vstore_half_rte((double)in[i], 5 * i + 4, out);
	back[i] = vload_half(5 * i, out);
}

__kernel void shuffles(__global const uint4 *in, __global const uint4 *mask, __global uint4 *out)
{
	size_t i = get_global_id(0);

	out[2 * i] = shuffle(in[i], mask[i]);
	out[2 * i + 1] = shuffle2(in[i], in[i].wzyx, mask[i]);
	vstore3(vload3(i, (__global const uint *)in).zyx, i, (__global uint *)(out + 64));
}
