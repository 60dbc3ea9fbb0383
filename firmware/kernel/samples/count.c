/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Proof that each work-item ran once and knew who it was. For grids of 1 to 3 dimensions.
 */
#include "ganger_kernel.h"

/** What a work-item wrote down about itself: 16 words. */
struct count_record {
	uint global_id[3];
	uint local_id[3];
	uint group_id[3];
	uint local_linear;
	uint global_size[3];
	uint work_dim;
	uint task_tag;
	uint task_id;
};

/**
 * @param counters  One per work-item, by global linear id; each is incremented.
 * @param records   One per work-item, by global linear id; or null.
 */
kernel void count(global uint *counters, global struct count_record *records)
{
	size_t i = get_global_linear_id();

	counters[i]++;
	if (!records) {
		return;
	}
	for (uint d = 0; d < 3; d++) {
		records[i].global_id[d] = (uint)get_global_id(d);
		records[i].local_id[d] = (uint)get_local_id(d);
		records[i].group_id[d] = (uint)get_group_id(d);
		records[i].global_size[d] = (uint)get_global_size(d);
	}
	records[i].local_linear = (uint)get_local_linear_id();
	records[i].work_dim = get_work_dim();
	records[i].task_tag = ganger_task_tag();
	records[i].task_id = ganger_task_id();
}
