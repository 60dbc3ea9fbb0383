/* SPDX-License-Identifier: Apache-2.0 */
/* A generation of Conway's game of life on a torus. */
__kernel void life(__global const uchar *now, __global uchar *next)
{
	const int x = get_global_id(0), y = get_global_id(1);
	const int w = get_global_size(0), h = get_global_size(1);
	int around = 0;

	for (int dy = h - 1; dy <= h + 1; dy++) {
		for (int dx = w - 1; dx <= w + 1; dx++) {
			around += now[(y + dy) % h * w + (x + dx) % w];
		}
	}
	around -= now[y * w + x];
	next[y * w + x] = around == 3 || (around == 2 && now[y * w + x]);
}
