/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for the measurements of CGAs: they do as little as they can. */

local uint word; /* of each member */

/* Barriers of all members (S1-R136). */
kernel void meet(uint count)
{
	for (uint i = 0; i < count; i++)
		cluster_sync();
}

/* Finds the memory of the last member. */
kernel void map(uint count)
{
	for (uint i = 0; i < count; i++)
		(void)map_shared_rank(&word, cluster_nctarank() - 1);
	cluster_sync();
}

/* The first member reads the words of members 1 to `of`, in turn. */
kernel void visit(uint count, uint of)
{
	volatile uint *there[8];

	for (uint i = 0; i < of; i++)
		there[i] = map_shared_rank(&word, i + 1);
	if (cluster_ctarank() == 0) {
		for (uint i = 0; i < count; i++)
			for (uint to = 0; to < of; to++)
				(void)*there[to];
	}
	cluster_sync();
}
