/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Layers of a small neural network in integers (tests/system/graph_network.py): sums of products,
 * shifted to the right, and nothing below zero but in the last layer. One work-item a result.
 */

static int scaled(int sum, uint shift, uint last)
{
	const int value = sum >> shift;

	return value < 0 && last == 0 ? 0 : value;
}

/** 3 by 3 convolution without edges: planes of size by size to planes of two less.
 * @param weights  For each output plane, 9 for each input plane, then its bias. */
kernel void net_convolve(global const int *in, global const int *weights, global int *out,
			 uint planes, uint size, uint results, uint shift)
{
	const uint width = size - 2;
	const uint item = (uint)get_global_id(0);
	const uint plane = item / (width * width), y = item / width % width, x = item % width;

	if (plane >= results) {
		return;
	}
	global const int *weight = weights + plane * (9 * planes + 1);
	int sum = weight[9 * planes];

	for (uint from = 0; from < planes; from++) {
		for (uint k = 0; k < 9; k++) {
			sum += weight[9 * from + k] *
			       in[(from * size + y + k / 3) * size + x + k % 3];
		}
	}
	out[item] = scaled(sum, shift, 0);
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/** Largest of 2 by 2, in all planes. */
kernel void net_pool(global const int *in, global int *out, uint planes, uint size)
{
	const uint width = size / 2;
	const uint item = (uint)get_global_id(0);
	const uint plane = item / (width * width), y = item / width % width, x = item % width;

	if (plane < planes) {
		global const int *corner = in + (plane * size + 2 * y) * size + 2 * x;

		out[item] = larger(larger(corner[0], corner[1]),
				   larger(corner[size], corner[size + 1]));
	}
}

/** Each result of all inputs. @param weights  For each result: one an input, then its bias. */
kernel void net_dense(global const int *in, global const int *weights, global int *out, uint inputs,
		      uint results, uint shift, uint last)
{
	const uint item = (uint)get_global_id(0);

	if (item < results) {
		global const int *weight = weights + item * (inputs + 1);
		int sum = weight[inputs];

		for (uint i = 0; i < inputs; i++) {
			sum += weight[i] * in[i];
		}
		out[item] = scaled(sum, shift, last);
	}
}

/** Number of the largest. One CTA. */
kernel void net_largest(global const int *in, global uint *out, uint n)
{
	uint best = 0;

	for (uint i = 1; i < n; i++) {
		best = in[i] > in[best] ? i : best;
	}
	if (get_local_id(0) == 0) {
		*out = best;
	}
}
