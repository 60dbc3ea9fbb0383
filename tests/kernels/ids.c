/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Every work-item records its ids. The host knows what each should say.
 */
#include <stdbool.h>

#define RECORD 12u /* words that a work-item leaves */

/** What the host launched. */
struct launched {
	uint grid[3];
	uint block[3];
	uint offset[3];
	uint dimensions;
	uint tag;
};

/** Work-items that find a size, the dimension count or the tag wrong are counted in `wrong`. */
static void check_sizes(global uint *wrong, const struct launched *is)
{
	bool good = get_work_dim() == is->dimensions && ganger_task_tag() == is->tag;

	for (uint axis = 0; axis < 3; axis++) {
		good = good && get_num_groups(axis) == is->grid[axis] &&
		       get_local_size(axis) == is->block[axis] &&
		       get_global_size(axis) == (size_t)is->grid[axis] * is->block[axis] &&
		       get_global_offset(axis) == is->offset[axis];
	}
	good = good && get_num_groups(3) == 1 && get_local_size(3) == 1 && get_global_size(3) == 1;
	good = good && get_group_id(3) == 0 && get_local_id(3) == 0 && get_global_id(3) == 0;
	good = good && get_queue_position() == 0 && get_queue_items() == 0;
	if (!good) {
		atomic_inc(wrong);
	}
}

/** `counts` has a word for each of the `items` work-items, `records` RECORD words; a work-item
 * whose own place is past the end counts in `wrong`. */
kernel void ids(global uint *counts, global uint *records, global uint *wrong, uint items,
		struct launched is)
{
	const uint threads = is.block[0] * is.block[1] * is.block[2];
	const uint cta = (uint)(get_group_id(0) +
				is.grid[0] * (get_group_id(1) + is.grid[1] * get_group_id(2)));
	const uint thread = (uint)(get_local_id(0) +
				   is.block[0] * (get_local_id(1) + is.block[1] * get_local_id(2)));
	const uint item = cta * threads + thread;

	check_sizes(wrong, &is);
	if (item >= items) {
		atomic_inc(wrong);
		return;
	}
	atomic_inc(&counts[item]);
	for (uint axis = 0; axis < 3; axis++) {
		records[item * RECORD + axis] = (uint)get_group_id(axis);
		records[item * RECORD + 3 + axis] = (uint)get_local_id(axis);
		records[item * RECORD + 6 + axis] = (uint)get_global_id(axis);
	}
	records[item * RECORD + 9] = (uint)get_local_linear_id();
	records[item * RECORD + 10] = (uint)get_global_linear_id();
	records[item * RECORD + 11] = (uint)ganger_cta_linear_id();
}

/** Ids must be the same before and after others ran; what changed counts in `wrong`. */
kernel void ids_stay(global uint *wrong, uint rounds)
{
	const size_t before = get_global_id(0) + get_group_id(0) + get_local_linear_id();
	const uint task = ganger_task_id();

	for (uint round = 0; round < rounds; round++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (get_global_id(0) + get_group_id(0) + get_local_linear_id() != before ||
		    ganger_task_id() != task) {
			atomic_inc(wrong);
		}
	}
}
