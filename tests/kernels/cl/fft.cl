/* SPDX-License-Identifier: Apache-2.0 */
/* Fast Fourier transform of a power of two (Stockham): a stage for each call. */
typedef float2 complex_t;

complex_t times(complex_t a, complex_t b)
{
	return (complex_t)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__kernel void fft_stage(__global const complex_t *in, __global complex_t *out, uint span)
{
	uint i = get_global_id(0), half_n = get_global_size(0);
	uint k = i & (span - 1);
	float angle = -M_PI_F * (float)k / (float)span;
	complex_t a = in[i], b = times(in[i + half_n], (complex_t)(cos(angle), sin(angle)));
	uint place = ((i - k) << 1) + k;

	out[place] = a + b;
	out[place + span] = a - b;
}
