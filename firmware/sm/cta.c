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

static void cta_fill_task(struct gg_cta *block, const struct sm_task *task)
{
	const struct gg_tmd *tmd = task->tmd;
	const uint32_t dimensions = gg_get(tmd->block_z, GG_TMD_DIMENSIONS);

	block->block[0] = gg_get(tmd->block_xy, GG_TMD_BLOCK_X);
	block->block[1] = gg_get(tmd->block_xy, GG_TMD_BLOCK_Y);
	block->block[2] = gg_get(tmd->block_z, GG_TMD_BLOCK_Z);
	block->work_dim = dimensions == 0 ? 3 : dimensions;
	block->threads = block->block[0] * block->block[1] * block->block[2];
	block->task_tag = tmd->correlation;
	block->task_id = task->name;
	block->shared_bytes = tmd->shared_bytes;
	block->stack_bytes = tmd->private_bytes;
	block->print_bytes = tmd->print_bytes;
	block->args_slot = gg_join(tmd->args_lo, tmd->args_hi);
	block->flags = task->run != 0 ? GG_CTA_FLAG_RUN : 0;
}

/* A queue has no end, so none of its CTAs knows how many CTAs there are. */
static void cta_fill_grid(struct gg_cta *block, const struct sm_task *task)
{
	const bool queue = task->items != 0;
	const struct gg_tmd *tmd = task->tmd;

	block->grid[0] = queue ? 1 : tmd->grid_x;
	block->grid[1] = queue ? 1 : gg_get(tmd->grid_yz, GG_TMD_GRID_Y);
	block->grid[2] = queue ? 1 : gg_get(tmd->grid_yz, GG_TMD_GRID_Z);
	block->global_offset[0] = queue ? 0 : tmd->queue_capacity;
	block->global_offset[1] = queue ? 0 : tmd->queue_item_bytes;
	block->global_offset[2] = queue ? 0 : tmd->queue_outstanding;
	block->queue_slot = gg_join(tmd->queue_lo, tmd->queue_hi);
	block->queue_capacity = tmd->queue_capacity;
	block->queue_item_bytes = tmd->queue_item_bytes;
	block->queue_position = 0;
	block->queue_items = 0;
	block->queue_place = 0;
}

/* Notes how many threads the CTAs of a grid have, and the last one along each axis, where it has fewer. */
static SM_COLD void cta_fill_edge(struct gg_cta *block, uint32_t fewer)
{
	block->flags = GG_CTA_FLAG_EDGE;
	for (uint32_t axis = 0; axis < 3; axis++, fewer >>= GG_EDGE_BITS) {
		const uint32_t last = fewer & GG_EDGE_MASK;

		block->edge[axis] = block->block[axis] | (last != 0 ? last : block->block[axis])
								 << 16;
	}
}

/* The threads of this CTA of such a grid. */
static SM_COLD void cta_fill_size(struct gg_cta *block)
{
	block->threads = 1;
	for (uint32_t axis = 0; axis < 3; axis++) {
		const uint32_t edge = block->edge[axis];

		block->block[axis] =
			block->cta_id[axis] + 1 == block->grid[axis] ? edge >> 16 : edge & 0xffff;
		block->threads *= block->block[axis];
	}
}

/* A task with an edge has no runs. */
static SM_COLD void cta_fill_flagged(struct gg_cta *block, const struct sm_cta *cta)
{
	if (block->flags == GG_CTA_FLAG_RUN) {
		block->last = gg_low(cta->linear) + cta->more;
	} else {
		cta_fill_size(block);
	}
}

/* A CTA of a plain grid is a CGA of its own; one of a flat grid lies at 0 along y and z. */
static void cta_fill_plain(struct gg_cta *block)
{
	for (uint32_t axis = 0; axis < 3; axis++) {
		block->cta_id[axis] = 0;
		block->cluster[axis] = 1;
		block->cluster_id[axis] = 0;
	}
	block->cluster_rank = 0;
	block->cga_id = 0;
	block->outer_rank = 0;
	block->outer_size = 1;
}

/* What all CTAs of the task that start at this unit have in common: it is written once, for the first of them. */
static SM_APART void cta_prepare(struct sm *sm, struct sm_cta *cta)
{
	const struct sm_task *task = cta->task;
	const uintptr_t window = cta->base;
	struct gg_cta *block;

	units_take(sm, cta);
	cta->block = units_shared(sm, cta) - GG_CTA_BYTES;
	cta->stack = window + task->tmd->private_bytes;
	cta->block_of = task->primed;
	block = (struct gg_cta *)cta->block;
	cta_fill_task(block, task);
	cta_fill_grid(block, task);
	cta_fill_plain(block);
	block->stack_base_slot = window;
	if (task->items == 0 && task->tmd->coalesce_us != 0) {
		cta_fill_edge(block, task->tmd->coalesce_us);
	}
}

/* The ranks are numbers of mixed radix with x as the lowest digit: so the digits are added from z down to x. */
static SM_COLD void cta_fill_cga(struct gg_cta *block, const struct gg_tmd *tmd,
				 const struct sm_cta *cta)
{
	block->outer_rank = 0;
	block->outer_size = 1;
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

/* Where the CTA lies: all of it in a flat grid, else only its place along x. */
static void cta_fill_place(struct gg_cta *block, const struct sm_cta *cta)
{
	block->cta_linear = cta->linear;
	block->nd_known = 0;
	block->thread = 0;
	block->cta_id[0] = cta->position[0];
	block->cluster_id[0] = cta->position[0];
}

/* What else the CTA has for itself, if its task is not bare. */
static SM_APART void cta_fill_more(struct sm *sm, struct gg_cta *block, struct sm_cta *cta)
{
	if (!cta->task->flat) {
		block->cta_id[1] = cta->position[1];
		block->cta_id[2] = cta->position[2];
		block->cluster_id[1] = cta->position[1];
		block->cluster_id[2] = cta->position[2];
	}
	if (block->flags != 0) {
		cta_fill_flagged(block, cta);
	}
	if (cta->task->items != 0) {
		block->queue_position = cta->items.position;
		block->queue_items = cta->items.count;
		block->queue_place = cta->items.place;
	}
	if (cta->sequence != 0) {
		cta_fill_cga(block, cta->task->tmd, cta);
		cga_begin(sm, cta);
	}
}

void cta_start(struct sm *sm, struct sm_cta *cta)
{
	const struct sm_task *task = cta->task;

	if (cta->block_of != task->primed) {
		cta_prepare(sm, cta);
	}
	const uintptr_t block = cta->block;

	cta_fill_place((struct gg_cta *)block, cta);
	if (!task->bare) {
		cta_fill_more(sm, (struct gg_cta *)block, cta);
	}
	cta->state = SM_CTA_STARTED;
	cta->start = sm->now;
	sm_begin(task->entry, block + GG_CTA_BYTES, cta->stack, block);
}

/* Record a CTA that has ended in the trace and in the counts. */
static void cta_count(struct sm *sm, const struct sm_cta *cta, int32_t status)
{
	if (mmio_read32(&sm->state->trace) == 1) {
		trace_cta(sm, cta, status);
	}
	sm->ended++;
	mmio_write32(&sm->state->ctas, sm->ended);
	if (status != GG_OK) {
		sm->failed++;
		mmio_write32(&sm->state->faults, sm->failed);
	}
}

SM_COLD void cta_end(struct sm *sm, struct sm_cta *cta, int32_t status, uint32_t fault)
{
	const bool none = cta->state == SM_CTA_STREAM;

	if (cta->state == SM_CTA_WAITING || none) {
		cta->start = sm->now;
	}
	if (cta->sequence != 0) {
		cga_leave(sm, cta, status);
	}
	if (cta->state == SM_CTA_BLOCKED || cta->state == SM_CTA_AT_BARRIER) {
		schedule_unblock(sm); /* when its answer comes it finds the CTA gone */
	} else {
		schedule_remove(sm, cta);
	}
	float_forget(sm, cta);
	if (cta->stream != 0) {
		pull_leave(sm, cta, status);
	}
	cta->state = SM_CTA_FREE;
	cta->task->resident--;
	if (!none) {
		cta_count(sm, cta, status);
	}
	report_gather(sm, cta, status, fault);
}

/* As cta_end() does, without what cannot be: the CTA has had the hart until now. It leaves its CGA while it is still shown as
 * resident, so that members find it gone when the host does. */
static void cta_exit_plain(struct sm *sm, struct sm_cta *cta)
{
	if (cta->sequence != 0) {
		cga_leave(sm, cta, GG_OK);
	}
	schedule_remove_first(sm);
	cta->state = SM_CTA_FREE;
	cta->task->resident--;
	report_good(sm, cta);
}

void cta_exit(struct sm *sm, struct sm_cta *cta)
{
	float_forget(sm, cta);
	cta_count(sm, cta, GG_OK);
	if (cta->stream != 0) {
		pull_ended(sm, cta);
	} else {
		cta_exit_plain(sm, cta);
	}
}

void cta_cancel(struct sm *sm, const struct sm_task *task, bool members)
{
	for (uint32_t unit = 0; unit < SM_UNITS_MAX; unit++) {
		struct sm_cta *cta = &sm->ctas[unit];

		if (cta->state != SM_CTA_FREE && cta->task == task &&
		    (!members || (cta->sequence != 0 && cga_is_to_stop(sm, unit)))) {
			cta_end(sm, cta, GG_ERR_CANCELLED, 0);
		}
	}
}

void cta_fail(struct sm *sm, struct sm_cta *cta, int32_t status, uint32_t fault)
{
	cta_end(sm, cta, status, fault);
	cta_cancel(sm, cta->task, false);
}

void cta_fault(struct sm *sm, struct sm_cta *cta, const struct fault *fault)
{
	cta_fail(sm, cta, fault->status, fault_record(sm, cta, fault));
	report_settle(sm, cta->task);
}

void cta_fault_status(struct sm *sm, struct sm_cta *cta, int32_t status)
{
	const struct fault fault = { .status = status, .thread = fault_thread(sm, cta) };

	cta_fault(sm, cta, &fault);
}
