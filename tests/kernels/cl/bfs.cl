/* SPDX-License-Identifier: Apache-2.0 */
/* A level of a breadth-first search in a graph of adjacency lists. */
typedef struct {
	int first;
	int count;
} Node;

__kernel void bfs_step(__global const Node *nodes, __global const int *edges,
		       __global char *frontier, __global char *next, __global int *cost, __global int *more, const int n)
{
	const int i = get_global_id(0);

	if (i >= n || !frontier[i]) {
		return;
	}
	frontier[i] = false;
	for (int e = nodes[i].first; e < nodes[i].first + nodes[i].count; e++) {
		const int other = edges[e];

		if (atomic_cmpxchg(&cost[other], -1, cost[i] + 1) == -1) {
			next[other] = true;
			*more = 1;
		}
	}
}
