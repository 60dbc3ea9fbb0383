/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Passes of an image pipeline (tests/system/test_graph_workloads.py): pictures of w by h words,
 * values 0 to 255 unless said; edges repeat. One work-item a pixel.
 */

#include <stdbool.h>

/** Where a work-item is, and the picture's size. */
struct place {
	int x, y, w, h;
};

static struct place place_of(uint w, uint h)
{
	return (struct place){ (int)get_global_id(0), (int)get_global_id(1), (int)w, (int)h };
}

static bool inside(struct place at)
{
	return at.x < at.w && at.y < at.h;
}

static int bounded(int value, int most)
{
	return value < 0 ? 0 : value > most ? most : value;
}

static int pixel(global const int *picture, struct place at, int dx, int dy)
{
	const int x = bounded(at.x + dx, at.w - 1), y = bounded(at.y + dy, at.h - 1);

	return picture[y * at.w + x];
}

/** Brightness of colours 0x00rrggbb. */
kernel void image_grey(global const uint *colours, global int *out, uint w, uint h)
{
	const struct place at = place_of(w, h);

	if (inside(at)) {
		const uint c = colours[at.y * at.w + at.x];

		out[at.y * at.w + at.x] =
			(int)(((c >> 16 & 255) * 77 + (c >> 8 & 255) * 150 + (c & 255) * 29) >> 8);
	}
}

/** 1 4 6 4 1 along x, or along y. */
kernel void image_blur(global const int *in, global int *out, uint w, uint h, uint along_y)
{
	const struct place at = place_of(w, h);
	const int weights[] = { 1, 4, 6, 4, 1 };
	int sum = 8;

	for (int i = -2; i <= 2; i++) {
		sum += weights[i + 2] * pixel(in, at, along_y ? 0 : i, along_y ? i : 0);
	}
	if (inside(at)) {
		out[at.y * at.w + at.x] = sum / 16;
	}
}

/** Slope along x, or along y; signed. */
kernel void image_slope(global const int *in, global int *out, uint w, uint h, uint along_y)
{
	const struct place at = place_of(w, h);
	int sum = 0;

	for (int i = -1; i <= 1; i++) {
		const int weight = i == 0 ? 2 : 1;

		sum += weight * (along_y ? pixel(in, at, i, 1) - pixel(in, at, i, -1)
					 : pixel(in, at, 1, i) - pixel(in, at, -1, i));
	}
	if (inside(at)) {
		out[at.y * at.w + at.x] = sum;
	}
}

/** Size of the slope. */
kernel void image_edge(global const int *along_x, global const int *along_y, global int *out,
		       uint n)
{
	const uint i = (uint)get_global_id(0);

	if (i < n) {
		const int x = along_x[i], y = along_y[i];

		out[i] = bounded((x < 0 ? -x : x) + (y < 0 ? -y : y), 255);
	}
}

/** Counts of the 256 values. */
kernel void image_counts(global const int *in, global uint *bins, uint n)
{
	for (uint i = (uint)get_global_id(0); i < n; i += (uint)get_global_size(0)) {
		atomic_inc(&bins[in[i]]);
	}
}

/** Table that makes all values about equally frequent. One CTA. */
kernel void image_table(global const uint *bins, global int *table, uint n)
{
	uint sum = 0;

	for (uint value = 0; value < 256 && get_local_id(0) == 0; value++) {
		sum += bins[value];
		table[value] = (int)((uint64_t)sum * 255 / n);
	}
}

/** Each value by a table. */
kernel void image_map(global const int *in, global const int *table, global int *out, uint n)
{
	const uint i = (uint)get_global_id(0);

	if (i < n) {
		out[i] = table[in[i]];
	}
}

/** The picture where there is no edge; edges are white. */
kernel void image_join(global const int *in, global const int *edges, global int *out, uint n,
		       int least)
{
	const uint i = (uint)get_global_id(0);

	if (i < n) {
		out[i] = edges[i] >= least ? 255 : in[i];
	}
}

/** Half the size: means of four. */
kernel void image_half(global const int *in, global int *out, uint w, uint h)
{
	const uint x = (uint)get_global_id(0), y = (uint)get_global_id(1);

	if (x < w / 2 && y < h / 2) {
		const uint at = 2 * y * w + 2 * x;

		out[y * (w / 2) + x] = (in[at] + in[at + 1] + in[at + w] + in[at + w + 1]) / 4;
	}
}
