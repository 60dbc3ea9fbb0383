/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/cta.h"

#include "firmware/abi/field.h"
#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/cga/cga.h"
#include "firmware/sm/enter.h"
#include "firmware/sm/float.h"
#include "firmware/sm/position.h"
#include "firmware/sm/pull/pull.h"
#include "firmware/sm/report.h"
#include "firmware/sm/schedule.h"
#include "firmware/sm/trace.h"
#include "firmware/sm/units.h"
#include "hal/mmio.h"

static void cta_fill_task(struct gg_cta *block, const struct gg_tmd *tmd)
{
	const uint32_t dimensions = gg_get(tmd->block_z, GG_TMD_DIMENSIONS);

	block->block[0] = gg_get(tmd->block_xy, GG_TMD_BLOCK_X);
	block->block[1] = gg_get(tmd->block_xy, GG_TMD_BLOCK_Y);
	block->block[2] = gg_get(tmd->block_z, GG_TMD_BLOCK_Z);
	block->work_dim = dimensions == 0 ? 3 : dimensions;
	block->threads = block->block[0] * block->block[1] * block->block[2];
	block->task_tag = tmd->correlation;
	block->shared_bytes = tmd->shared_bytes;
	block->stack_bytes = tmd->private_bytes;
	block->print_bytes = tmd->print_bytes;
	block->args_slot = gg_join(tmd->args_lo, tmd->args_hi);
}

/* A queue has no end, so none of its CTAs knows how many CTAs there are. */
static void cta_fill_grid(struct gg_cta *block, const struct sm_task *task)
{
	const bool queue = task->items != 0;
	const struct gg_tmd *tmd = task->tmd;

	block->grid[0] = queue ? 1 : tmd->grid_x;
	block->grid[1] = queue ? 1 : gg_get(tmd->grid_yz, GG_TMD_GRID_Y);
	block->grid[2] = queue ? 1 : gg_get(tmd->grid_yz, GG_TMD_GRID_Z);
	block->nd_known = 0;
	block->queue_slot = gg_join(tmd->queue_lo, tmd->queue_hi);
	block->queue_capacity = tmd->queue_capacity;
	block->queue_item_bytes = tmd->queue_item_bytes;
}

/* A CTA of a plain grid is a CGA of its own. */
static void cta_fill_place(struct gg_cta *block, const struct sm_cta *cta)
{
	block->flags = 0;
	for (uint32_t axis = 0; axis < 3; axis++) {
		block->cta_id[axis] = cta->position[axis];
		block->cluster[axis] = 1;
		block->cluster_id[axis] = cta->position[axis];
		block->global_offset[axis] = 0;
	}
	block->cluster_rank = 0;
	block->cga_id = 0;
	block->outer_rank = 0;
	block->outer_size = 1;
}

/* The ranks are numbers of mixed radix with x as the lowest digit: so the digits are added from z down to x. */
static void cta_fill_cga(struct gg_cta *block, const struct gg_tmd *tmd, const struct sm_cta *cta)
{
	for (uint32_t axis = 3; axis-- > 0;) {
		const uint32_t outer = position_outer(tmd, axis);

		block->cluster[axis] = position_inner(tmd, axis);
		block->cluster_id[axis] = cta->position[axis] / block->cluster[axis];
		block->outer_rank = block->outer_rank * outer + block->cluster_id[axis] % outer;
		block->outer_size *= outer;
	}
	block->cluster_rank = cta->rank;
	block->cga_id = gg_get(cta->cga, GG_PACKET_CGA_ID);
}

static void cta_fill(struct gg_cta *block, const struct sm *sm, const struct sm_cta *cta)
{
	const struct sm_task *task = &sm->tasks[cta->slot];

	cta_fill_task(block, task->tmd);
	cta_fill_grid(block, task);
	block->queue_position = cta->items.position;
	block->queue_items = cta->items.count;
	block->queue_place = cta->items.place;
	cta_fill_place(block, cta);
	if (cta->sequence != 0) {
		cta_fill_cga(block, task->tmd, cta);
	}
	block->cta_linear = cta->linear;
	block->task_id = task->name;
	block->stack_base_slot = units_window(sm, cta);
}

void cta_start(struct sm *sm, struct sm_cta *cta)
{
	const struct gg_tmd *tmd = sm->tasks[cta->slot].tmd;
	const uintptr_t shared = units_shared(sm, cta);
	const uintptr_t block = shared - GG_CTA_BYTES;

	units_clear(sm, cta, tmd->context);
	cta_fill((struct gg_cta *)block, sm, cta);
	if (cta->sequence != 0) {
		cga_begin(sm, cta);
	}
	cta->state = SM_CTA_STARTED;
	cta->start = sm->now;
	sm_begin((uintptr_t)gg_join(tmd->entry_lo, tmd->entry_hi), shared,
		 units_window(sm, cta) + tmd->private_bytes, block);
}

/* Record a CTA that has ended in the trace and in the counts. */
static void cta_count(struct sm *sm, const struct sm_cta *cta, int32_t status)
{
	trace_cta(sm, cta, status);
	sm->ended++;
	mmio_write32(&sm->state->ctas, sm->ended);
	if (status != GG_OK) {
		sm->failed++;
		mmio_write32(&sm->state->faults, sm->failed);
	}
}

void cta_end(struct sm *sm, struct sm_cta *cta, int32_t status, uint32_t fault)
{
	const bool none = cta->state == SM_CTA_STREAM;

	if (cta->state == SM_CTA_WAITING || none) {
		cta->start = sm->now;
	}
	if (cta->state == SM_CTA_BLOCKED || cta->state == SM_CTA_AT_BARRIER) {
		schedule_unblock(sm); /* when its answer comes it finds the CTA gone */
	} else {
		schedule_remove(sm, cta);
	}
	float_forget(sm, cta);
	if (cta->sequence != 0) {
		cga_leave(sm, cta, status);
	}
	if (cta->stream != 0) {
		pull_leave(sm, cta, status);
	}
	cta->state = SM_CTA_FREE;
	sm->tasks[cta->slot].resident--;
	if (!none) {
		cta_count(sm, cta, status);
	}
	report_gather(sm, cta, status, fault);
}

void cta_exit(struct sm *sm, struct sm_cta *cta)
{
	if (cta->stream == 0) {
		cta_end(sm, cta, GG_OK, 0);
		report_settle(sm, &sm->tasks[cta->slot]);
		return;
	}
	float_forget(sm, cta);
	cta_count(sm, cta, GG_OK);
	pull_ended(sm, cta);
}

void cta_cancel(struct sm *sm, const struct sm_task *task, bool started)
{
	for (uint32_t unit = 0; unit < SM_UNITS_MAX; unit++) {
		struct sm_cta *cta = &sm->ctas[unit];

		if (cta->state != SM_CTA_FREE && &sm->tasks[cta->slot] == task &&
		    (started || cta->state == SM_CTA_WAITING || cta->state == SM_CTA_STREAM)) {
			cta_end(sm, cta, GG_ERR_CANCELLED, 0);
		}
	}
}

void cta_fail(struct sm *sm, struct sm_cta *cta, int32_t status, uint32_t fault)
{
	cta_end(sm, cta, status, fault);
	cta_cancel(sm, &sm->tasks[cta->slot], false);
}

void cta_fault(struct sm *sm, struct sm_cta *cta, const struct fault *fault)
{
	cta_fail(sm, cta, fault->status, fault_record(sm, cta, fault));
	report_settle(sm, &sm->tasks[cta->slot]);
}

void cta_fault_status(struct sm *sm, struct sm_cta *cta, int32_t status)
{
	const struct fault fault = { .status = status, .thread = fault_thread(sm, cta) };

	cta_fault(sm, cta, &fault);
}
