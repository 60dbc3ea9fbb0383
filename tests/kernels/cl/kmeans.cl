/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest centre of each point. */
__kernel void assign_points(__global const float *points, __global const float *centres,
			    __global int *nearest, int count, int clusters, int dimensions)
{
	int i = get_global_id(0);
	float best = FLT_MAX;
	int index = 0;

	if (i >= count) {
		return;
	}
	for (int c = 0; c < clusters; c++) {
		float square = 0;

		for (int d = 0; d < dimensions; d++) {
			float part = points[d * count + i] - centres[c * dimensions + d];

			square += part * part;
		}
		if (square < best) {
			best = square;
			index = c;
		}
	}
	nearest[i] = index;
}
