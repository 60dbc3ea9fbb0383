/* SPDX-License-Identifier: Apache-2.0 */
/* A step of an LU decomposition without pivots: the column, then what is right of and below it. */
__kernel void lu_column(__global double *m, int n, int k)
{
	int row = k + 1 + get_global_id(0);

	if (row < n) {
		m[row * n + k] /= m[k * n + k];
	}
}

__kernel void lu_rest(__global double *m, int n, int k)
{
	int column = k + 1 + get_global_id(0), row = k + 1 + get_global_id(1);

	if (row < n && column < n) {
		m[row * n + column] -= m[row * n + k] * m[k * n + column];
	}
}
