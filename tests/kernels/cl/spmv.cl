/* SPDX-License-Identifier: Apache-2.0 */
/* A sparse matrix (compressed rows) times a vector: a work-group for each row. */
__kernel void spmv(__global const float *restrict values, __global const int *restrict columns,
		   __global const int *restrict rows, __global const float *restrict x,
		   __global float *restrict y, __local volatile float *sums)
{
	const int row = get_group_id(0), me = get_local_id(0);
	float sum = 0.0f;

	for (int i = rows[row] + me; i < rows[row + 1]; i += get_local_size(0)) {
		sum = fma(values[i], x[columns[i]], sum);
	}
	sums[me] = sum;
	for (int size = get_local_size(0) / 2; size > 0; size >>= 1) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (me < size) {
			sums[me] += sums[me + size];
		}
	}
	if (me == 0) {
		y[row] = sums[0];
	}
}
