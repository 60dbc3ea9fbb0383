/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/cga/cga_again.h"

#include "firmware/abi/field.h"
#include "firmware/cp/launch/launch_stop.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/task/retry.h"
#include "firmware/cp/task/work.h"

/* A place for its range is put in reserve now, while the loss can still end the task. */
__attribute__((cold)) bool cga_again(struct task *task, uint32_t sm, uint32_t unit, uint32_t losses)
{
	struct cga_member_place place = { sm, unit };
	struct cga *cga = cga_record(cga_member_record(place));

	if (cga->again != 0) {
		return true;
	}
	if (!range_reserve(1)) {
		return false;
	}
	cga->again = (uint8_t)losses;
	for (uint32_t rank = 0; rank < cga->size; rank++) {
		cga_member(place)->cga |= GG_MEMBER_STOP;
		place = cga_member_next(place);
	}
	launch_stop(task);
	return true;
}

/* Those that ended well have been counted as done, or will be with this report. The task is in its slot, which slot_ended()
 * looks at after this report. */
__attribute__((cold)) void cga_again_keep(struct task *task, const struct cga *cga)
{
	range_unreserve(1);
	(void)retry_range(task, cga->head_sm, cga->head_unit, cga->again, cga->size);
	task_work_complete(task, 0 - (uint64_t)(cga->size - cga->failed));
	(void)retry_next(task);
}
