/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Grids whose last CTAs have fewer threads: every work-item checks its sizes and ids, in each form that a kernel has.
 */
#include <stdbool.h>

/** What the host launched. */
struct launched {
	uint grid[3];
	uint block[3];
	uint edge[3]; /* Threads of the last CTA. */
	uint offset[3];
};

/** Threads of this CTA along an axis. */
static size_t size_of(const struct launched *is, uint axis)
{
	return get_group_id(axis) == is->grid[axis] - 1 ? is->edge[axis] : is->block[axis];
}

static size_t global_of(const struct launched *is, uint axis)
{
	return (size_t)(is->grid[axis] - 1) * is->block[axis] + is->edge[axis];
}

static bool is_right(const struct launched *is)
{
	size_t inside = 0, all = 0;
	bool good = get_enqueued_local_size(3) == 1 && get_global_size(3) == 1;

	for (uint axis = 3; axis-- > 0;) {
		const size_t at = get_group_id(axis) * is->block[axis] + get_local_id(axis);

		good = good && get_local_size(axis) == size_of(is, axis) &&
		       get_enqueued_local_size(axis) == is->block[axis] &&
		       get_num_groups(axis) == is->grid[axis] &&
		       get_global_size(axis) == global_of(is, axis) &&
		       get_local_id(axis) < size_of(is, axis) &&
		       get_global_id(axis) == at + is->offset[axis];
		inside = inside * size_of(is, axis) + get_local_id(axis);
		all = all * global_of(is, axis) + at;
	}
	return good && get_queue_items() == 0 && get_local_linear_id() == inside &&
	       get_global_linear_id() == all;
}

/** Counts in `counts`, by the linear global id, and in `wrong`. */
static void count(global uint *counts, global uint *wrong, const struct launched *is)
{
	atomic_inc(is_right(is) ? &counts[get_global_linear_id()] : wrong);
}

kernel void edges(global uint *counts, global uint *wrong, global const struct launched *is)
{
	count(counts, wrong, is);
}

/** All threads of the CTA meet, and no others are waited for. */
kernel void edges_met(global uint *counts, global uint *wrong, global const struct launched *is)
{
	local uint here;

	if (get_local_linear_id() == 0) {
		here = 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&here);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (here != size_of(is, 0) * size_of(is, 1) * size_of(is, 2)) {
		atomic_inc(wrong);
	}
	count(counts, wrong, is);
}

/** The same with a barrier that ganger-cc cannot see to be met by all. */
kernel void edges_threads(global uint *counts, global uint *wrong, global const struct launched *is)
{
	local uint here;

	if (get_local_linear_id() == 0) {
		here = 0;
	}
	if (is->grid[get_local_id(0) % 3] != 0) {
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	atomic_inc(&here);
	if (is->grid[get_local_id(0) % 3] != 0) {
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (here != size_of(is, 0) * size_of(is, 1) * size_of(is, 2)) {
		atomic_inc(wrong);
	}
	count(counts, wrong, is);
}

/** Compiled for blocks of one size. */
GANGER_BLOCK(4, 2, 1);
kernel void edges_fixed(global uint *counts)
{
	counts[0] = (uint)get_local_size(0);
}
