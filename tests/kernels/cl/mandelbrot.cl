/* SPDX-License-Identifier: Apache-2.0 */
/* Iterations until a point leaves the circle, for four points at a time. */
__kernel void mandelbrot(__global uint4 *out, float left, float top, float step, uint most)
{
	const size_t x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
	float4 cr = left + step * ((float4)(0, 1, 2, 3) + 4.0f * x);
	float4 ci = (float4)(top + step * y), zr = 0.0f, zi = 0.0f;
	int4 count = 0;

	for (uint i = 0; i < most; i++) {
		float4 r = zr * zr, j = zi * zi;
		int4 inside = islessequal(r + j, (float4)4.0f);

		if (!any(inside)) {
			break;
		}
		count -= inside;
		zi = select(zi, 2.0f * zr * zi + ci, inside);
		zr = select(zr, r - j + cr, inside);
	}
	out[y * width + x] = as_uint4(count);
}
