/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/tmd.h"

#include <inttypes.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/abi/tmd_words.h"
#include "host/lib/core/failure.h"
#include "host/lib/work/cluster.h"

#define PRIORITY_DEFAULT 5u
#define STACK_DEFAULT    2048u
#define STACK_ALIGN      16u
#define SHORT_SINCE      13u /* minor version of the ABI that has short TMDs */

/** A number of the caller's and the largest that fits its bits. */
struct bound {
	uint32_t value;
	uint32_t most;
	enum gg_status status;
	enum gg_field field;
};

static enum gg_status check_bounds(const struct gg_work *work)
{
	const struct bound bounds[] = {
		{ work->grid[1], UINT16_MAX, GG_ERR_GRID_OVERFLOW, GG_FIELD_TMD_GRID_Y },
		{ work->grid[2], UINT16_MAX, GG_ERR_GRID_OVERFLOW, GG_FIELD_TMD_GRID_Z },
		{ work->block[0], UINT16_MAX, GG_ERR_BLOCK_TOO_LARGE, GG_FIELD_TMD_BLOCK_X },
		{ work->block[1], UINT16_MAX, GG_ERR_BLOCK_TOO_LARGE, GG_FIELD_TMD_BLOCK_Y },
		{ work->block[2], UINT16_MAX, GG_ERR_BLOCK_TOO_LARGE, GG_FIELD_TMD_BLOCK_Z },
		{ work->dimensions, 3, GG_ERR_ARGUMENT, GG_FIELD_TMD_DIMENSIONS },
		{ work->priority, 15, GG_ERR_PRIORITY, GG_FIELD_TMD_PRIORITY },
		{ work->mode, 15, GG_ERR_MODE, GG_FIELD_TMD_MODE },
		{ work->memory_count, GG_WINDOWS_MAX, GG_ERR_WINDOW_RANGE,
		  GG_FIELD_TMD_WINDOW_COUNT },
		{ work->type, 15, GG_ERR_TMD_TYPE, GG_FIELD_TMD_TYPE },
		{ work->queue.items, UINT16_MAX, GG_ERR_QUEUE, GG_FIELD_TMD_QUEUE_ITEMS },
		{ work->queue.minimum, UINT16_MAX, GG_ERR_QUEUE, GG_FIELD_TMD_QUEUE_MINIMUM },
		{ work->queue.data_items, work->queue.capacity, GG_ERR_QUEUE,
		  GG_FIELD_TMD_QUEUE_OUTSTANDING },
	};

	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		if (bounds[i].value > bounds[i].most)
			return failure_done(bounds[i].status, bounds[i].field, bounds[i].value, 0,
					    0);
	}
	return cluster_check(work);
}

/** The header without the bits that depend on kernel and queue. */
static uint32_t header_of(const struct gg_work *work)
{
	uint32_t priority = work->priority ? work->priority : PRIORITY_DEFAULT;

	return gg_put(GG_TMD_VERSION, GG_TMD_VERSION_1) | gg_put(GG_TMD_TYPE, cluster_type(work)) |
	       gg_put(GG_TMD_MODE, work->mode) | gg_put(GG_TMD_PRIORITY, priority) |
	       gg_put(GG_TMD_HEAD, work->head != 0) |
	       gg_put(GG_TMD_SEQUENTIAL, work->sequential != 0) |
	       gg_put(GG_TMD_THROTTLE, work->throttle != 0) |
	       gg_put(GG_TMD_QUOTA_ENABLE, work->quota != 0);
}

/** Picks the block: that of the work or, if it has none, the one that the kernel was compiled for.
 */
static enum gg_status pick_block(const struct gg_work *work, const struct kernel *kernel,
				 uint32_t block[3])
{
	static const uint32_t none[3];
	size_t bytes = sizeof(none);

	memcpy(block, work->block, bytes);
	if (!(kernel->flags & GG_KERNEL_BLOCK_FIXED) || memcmp(block, kernel->block, bytes) == 0)
		return GG_OK;
	if (memcmp(block, none, bytes) != 0)
		return failure_set(GG_ERR_ARGUMENT, "block", block[0],
				   "Kernel %s was compiled for blocks of %u x %u x %u only",
				   kernel->name, kernel->block[0], kernel->block[1],
				   kernel->block[2]);
	memcpy(block, kernel->block, bytes);
	return GG_OK;
}

static void fill_shape(struct gg_tmd *tmd, const struct gg_work *work, const uint32_t block[3])
{
	static const uint32_t one[3] = { 1, 1, 1 };
	const uint32_t *grid = work->type == GG_TASK_TYPE_QUEUE || work->range ? one : work->grid;
	uint32_t dimensions = work->dimensions ? work->dimensions : 3;

	tmd->grid_x = grid[0];
	tmd->grid_yz = gg_put(GG_TMD_GRID_Y, grid[1]) | gg_put(GG_TMD_GRID_Z, grid[2]);
	tmd->block_xy = gg_put(GG_TMD_BLOCK_X, block[0]) | gg_put(GG_TMD_BLOCK_Y, block[1]);
	tmd->block_z = gg_put(GG_TMD_BLOCK_Z, block[2]) | gg_put(GG_TMD_DIMENSIONS, dimensions);
}

/** Writes the global offset, for which a grid has the words that only a queue uses else. */
static enum gg_status fill_offset(struct gg_tmd *tmd, const struct gg_work *work,
				  const uint32_t block[3], uint32_t xlen)
{
	const char *why = work->type == GG_TASK_TYPE_QUEUE ? "a queue has no global ids"
			  : work->range                    ? "a range has offsets of its own"
							   : NULL;

	for (uint32_t axis = 0; axis < 3; axis++) {
		uint64_t end = work->offset[axis] + (uint64_t)work->grid[axis] * block[axis];

		if (work->offset[axis] == 0)
			continue;
		if (why)
			return failure_set(GG_ERR_ARGUMENT, "offset", work->offset[axis],
					   "The work cannot have a global offset: %s", why);
		if (xlen == 32 && end > UINT32_MAX)
			return failure_set(
				GG_ERR_GRID_OVERFLOW, "offset", work->offset[axis],
				"With this offset global ids along axis %u come to %" PRIu64
				", which is more than 32 bits hold",
				axis, end);
	}
	if (work->type != GG_TASK_TYPE_QUEUE) {
		tmd->queue_capacity = work->offset[0];
		tmd->queue_item_bytes = work->offset[1];
		tmd->queue_outstanding = work->offset[2];
	}
	return GG_OK;
}

/** Writes how many threads the last CTAs have, which grids have in another word of queues. */
static enum gg_status fill_edge(struct gg_tmd *tmd, const struct gg_work *work,
				const uint32_t block[3], bool fixed)
{
	const char *why = work->type == GG_TASK_TYPE_QUEUE ? "a queue has no last CTA"
			  : work->range                    ? "the CTAs of a range are all alike"
			  : fixed ? "the kernel was compiled for one size of a block"
				  : NULL;

	for (uint32_t axis = 0; axis < 3; axis++) {
		if (work->edge[axis] == 0)
			continue;
		if (why)
			return failure_set(GG_ERR_ARGUMENT, "edge", work->edge[axis],
					   "The last CTA cannot be smaller: %s", why);
		if (work->edge[axis] >= block[axis])
			return failure_set(GG_ERR_ARGUMENT, "edge", work->edge[axis],
					   "The last CTA along axis %u must have fewer threads "
					   "than the others, which have %u",
					   axis, block[axis]);
		tmd->coalesce_us |= work->edge[axis] << GG_EDGE_BITS * axis;
	}
	return GG_OK;
}

static uint32_t stack_of(const struct gg_work *work, const struct kernel *kernel)
{
	uint32_t bytes = work->stack_bytes ? work->stack_bytes : kernel->stack_bytes;

	if (bytes == 0)
		bytes = STACK_DEFAULT;
	return bytes > UINT32_MAX - STACK_ALIGN
		       ? bytes
		       : (bytes + STACK_ALIGN - 1) / STACK_ALIGN * STACK_ALIGN;
}

static enum gg_status fill_program(struct gg_tmd *tmd, const struct request *request,
				   const struct kernel *kernel)
{
	const struct gg_work *work = request->work;
	const struct module *module = request->module;
	uint32_t block[3];
	enum gg_status status = pick_block(work, kernel, block);

	if (status == GG_OK)
		status = fill_offset(tmd, work, block, request->device->cap.xlen);
	if (status == GG_OK)
		status = fill_edge(tmd, work, block, (kernel->flags & GG_KERNEL_BLOCK_FIXED) != 0);
	if (status != GG_OK)
		return status;
	fill_shape(tmd, work, block);
	tmd->header |= gg_put(GG_TMD_BARRIER, (kernel->flags & GG_KERNEL_BARRIER) != 0);
	tmd->entry_lo = gg_low(module->base + kernel->entry);
	tmd->entry_hi = gg_high(module->base + kernel->entry);
	tmd->code_lo = gg_low(module->base);
	tmd->code_hi = gg_high(module->base);
	tmd->code_bytes = module->list.text_bytes;
	tmd->private_bytes = stack_of(work, kernel);
	return GG_OK;
}

static void fill_context(struct gg_tmd *tmd, const struct context *context)
{
	tmd->context = context->number;
	tmd->heap_lo = gg_low(context->start);
	tmd->heap_hi = gg_high(context->start);
	tmd->heap_bytes_lo = gg_low(context->bytes);
	tmd->heap_bytes_hi = gg_high(context->bytes);
}

static void fill_semaphores(struct gg_tmd *tmd, const struct gg_semaphore semaphores[2])
{
	tmd->semaphore0_lo = gg_low(semaphores[0].address);
	tmd->semaphore0_hi = gg_high(semaphores[0].address);
	tmd->semaphore0_value = semaphores[0].value;
	tmd->semaphore0_op = semaphores[0].op;
	tmd->semaphore1_lo = gg_low(semaphores[1].address);
	tmd->semaphore1_hi = gg_high(semaphores[1].address);
	tmd->semaphore1_value = semaphores[1].value;
	tmd->semaphore1_op = semaphores[1].op;
}

static void fill_queue(struct gg_tmd *tmd, const struct gg_queue *queue)
{
	tmd->header |= gg_put(GG_TMD_CLOSED, queue->closed != 0);
	tmd->queue_capacity = queue->capacity;
	tmd->queue_item_bytes = queue->item_bytes;
	tmd->queue_items = gg_put(GG_TMD_QUEUE_ITEMS, queue->items) |
			   gg_put(GG_TMD_QUEUE_MINIMUM, queue->minimum);
	tmd->coalesce_us = queue->coalesce_us;
	tmd->queue_outstanding = queue->data_items;
}

enum gg_status tmd_fill(struct gg_tmd *tmd, const struct request *request,
			const struct kernel *kernel, uint32_t shared_bytes)
{
	const struct gg_work *work = request->work;
	enum gg_status status = check_bounds(work);

	if (status == GG_OK && work->type == GG_TASK_TYPE_QUEUE &&
	    (work->first_cta | work->ctas) != 0)
		status = failure_set(GG_ERR_ARGUMENT, "first_cta", work->first_cta,
				     "A queue has no part of a grid");
	if (status != GG_OK)
		return status;
	memset(tmd, 0, sizeof(*tmd));
	tmd->header = header_of(work);
	tmd->correlation = work->correlation;
	tmd->shared_bytes = shared_bytes;
	tmd->gpc_mask = work->gpc_mask;
	tmd->quota = work->quota;
	tmd->chunk = work->chunk;
	tmd->time_limit_us = work->time_limit_us;
	tmd->resume_lo = gg_low(work->first_cta);
	tmd->resume_hi = gg_high(work->first_cta);
	tmd->queue_items = work->ctas;
	tmd->retry_limit = work->retry_limit;
	tmd->dependence_count = work->dependence_count;
	cluster_fill(tmd, work);
	fill_context(tmd, request->context);
	fill_semaphores(tmd, work->semaphores);
	if (work->type == GG_TASK_TYPE_QUEUE)
		fill_queue(tmd, &work->queue);
	return kernel ? fill_program(tmd, request, kernel) : GG_OK;
}

void tmd_shorten(struct gg_tmd *tmd, const struct gg_cap *cap)
{
	if (gg_get(cap->abi, GG_CAP_MINOR) >= SHORT_SINCE && tmd_words_are_short(tmd))
		tmd->header |= GG_TMD_SHORT;
}
