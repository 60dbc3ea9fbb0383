/* SPDX-License-Identifier: Apache-2.0 */
/* Median of the nine pixels around each, by a network of min and max. */
#define SORT(a, b)                                \
	do {                                      \
		const uchar4 low = min(a, b);     \
		b = max(a, b);                    \
		a = low;                          \
	} while (0)

__kernel void median(__global const uchar4 *in, __global uchar4 *out)
{
	const int w = get_global_size(0), h = get_global_size(1);
	const int x = get_global_id(0), y = get_global_id(1);
	uchar4 p[9];

	for (int i = 0; i < 9; i++) {
		p[i] = in[clamp(y + i / 3 - 1, 0, h - 1) * w + clamp(x + i % 3 - 1, 0, w - 1)];
	}
	for (int round = 0; round < 9; round++) {
		for (int i = round & 1; i < 8; i += 2) {
			SORT(p[i], p[i + 1]);
		}
	}
	out[y * w + x] = p[4];
}
