/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of real numbers at their edges: a row of results for each set of arguments. */
#define ROW 9

#define EDGES(T, half_powr, native_powr)                                                           \
	kernel void edges_##T(global const T *a, global const T *b, global const int *c, global T *out, \
			      global int *exponents) \
	{                                                                                          \
		size_t i = get_global_id(0);                                                       \
		T x = a[i], y = b[i];                                                              \
		int n = c[i];                                                                      \
		global T *row = out + ROW * i;                                                     \
                                                                                                   \
		row[0] = trunc(x), row[1] = pown(x, n), row[2] = powr(x, y), row[3] = rootn(x, n); \
		row[4] = sinpi(x), row[5] = cospi(x), row[6] = tanpi(x); \
		row[7] = half_powr(x, y), row[8] = native_powr(x, y); \
		exponents[i] = ilogb(x); \
	}

EDGES(float, half_powr, native_powr)
EDGES(double, powr, powr)
