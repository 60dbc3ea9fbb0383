/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/accept/tmd_extra.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/schedule/throttle.h"

/** Memory that a TMD names. */
struct range {
	uint64_t base;
	uint64_t bytes;
};

static bool lies_in(struct range inner, struct range outer)
{
	return inner.base >= outer.base && inner.bytes <= outer.bytes &&
	       inner.base - outer.base <= outer.bytes - inner.bytes;
}

static struct range heap_of(const struct gg_tmd *tmd)
{
	return (struct range){ gg_join(tmd->heap_lo, tmd->heap_hi),
			       gg_join(tmd->heap_bytes_lo, tmd->heap_bytes_hi) };
}

static bool refuse_queue(struct task *task, enum gg_field field, uint64_t value)
{
	return task_refuse(task, GG_ERR_QUEUE, field, value);
}

/* Whether a task is a grid, which has its own meaning of some of the words of queues. */
static bool is_grid(const struct task *task)
{
	const uint32_t type = task_type(task);

	return type != GG_TASK_TYPE_QUEUE && type != GG_TASK_TYPE_GRID_NULL &&
	       type != GG_TASK_TYPE_GRAPH;
}

/* Whether the words of the global offset and of smaller CTAs at the end may be used: by grids, but not by those of an N-D
 * range, which has its own. */
static bool may_have_offset(const struct task *task)
{
	return is_grid(task) &&
	       (!task_is_pull(task) || (task->tmd.queue_lo | task->tmd.queue_hi) == 0);
}

/* The largest global id along each axis must be a number of the kernel's. */
static bool check_offset(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const struct {
		uint64_t items;
		uint32_t offset;
		enum gg_field field;
	} axes[] = {
		{ (uint64_t)tmd->grid_x * gg_get(tmd->block_xy, GG_TMD_BLOCK_X),
		  tmd->queue_capacity, GG_FIELD_TMD_QUEUE_CAPACITY },
		{ (uint64_t)gg_get(tmd->grid_yz, GG_TMD_GRID_Y) *
			  gg_get(tmd->block_xy, GG_TMD_BLOCK_Y),
		  tmd->queue_item_bytes, GG_FIELD_TMD_QUEUE_ITEM_BYTES },
		{ (uint64_t)gg_get(tmd->grid_yz, GG_TMD_GRID_Z) *
			  gg_get(tmd->block_z, GG_TMD_BLOCK_Z),
		  tmd->queue_outstanding, GG_FIELD_TMD_QUEUE_OUTSTANDING },
	};

	for (uint32_t axis = 0; axis < 3; axis++) {
		if (axes[axis].items > device.size_max - axes[axis].offset) {
			return task_refuse(task, GG_ERR_GRID_OVERFLOW, axes[axis].field,
					   axes[axis].offset);
		}
	}
	return true;
}

/* Where the last CTA along an axis has threads of its own number, they are fewer than those of the others. */
static bool check_edge(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint32_t edge = tmd->coalesce_us;

	if ((edge & GG_EDGE_MASK) >= gg_get(tmd->block_xy, GG_TMD_BLOCK_X) ||
	    (edge >> GG_EDGE_BITS & GG_EDGE_MASK) >= gg_get(tmd->block_xy, GG_TMD_BLOCK_Y) ||
	    edge >> 2 * GG_EDGE_BITS >= gg_get(tmd->block_z, GG_TMD_BLOCK_Z)) {
		return task_refuse(task, GG_ERR_ARGUMENT, GG_FIELD_TMD_COALESCE_US, edge);
	}
	return true;
}

static bool check_no_queue(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint32_t closed = gg_get(tmd->header, GG_TMD_CLOSED);
	const uint32_t offset =
		tmd->queue_capacity | tmd->queue_item_bytes | tmd->queue_outstanding;
	const bool names = task_is_pull(task) ||
			   task_type(task) == GG_TASK_TYPE_GRAPH; /* an N-D range or a graph */
	const uint32_t address = names ? 0 : tmd->queue_lo | tmd->queue_hi;
	const uint32_t ones = address | (is_grid(task) ? 0 : tmd->queue_items) |
			      (may_have_offset(task) ? 0 : offset | tmd->coalesce_us);

	if (closed != 0) {
		return refuse_queue(task, GG_FIELD_TMD_CLOSED, closed);
	}
	if (ones != 0) {
		return refuse_queue(task, GG_FIELD_TMD_QUEUE,
				    gg_join(tmd->queue_lo, tmd->queue_hi));
	}
	return (offset == 0 || check_offset(task)) && (tmd->coalesce_us == 0 || check_edge(task));
}

/* The ring must lie in the context's heap. With fewer than 2^31 items, differences of 32-bit counts are unambiguous. */
static bool check_ring(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const struct range ring = { gg_join(tmd->queue_lo, tmd->queue_hi),
				    (uint64_t)tmd->queue_capacity * tmd->queue_item_bytes };

	if (tmd->queue_capacity == 0 || tmd->queue_capacity > INT32_MAX) {
		return refuse_queue(task, GG_FIELD_TMD_QUEUE_CAPACITY, tmd->queue_capacity);
	}
	if (tmd->queue_item_bytes == 0 || tmd->queue_item_bytes % 4 != 0) {
		return refuse_queue(task, GG_FIELD_TMD_QUEUE_ITEM_BYTES, tmd->queue_item_bytes);
	}
	if (ring.base % 4 != 0 || !lies_in(ring, heap_of(tmd))) {
		return refuse_queue(task, GG_FIELD_TMD_QUEUE, ring.base);
	}
	return true;
}

bool tmd_check_queue(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint32_t items = gg_get(tmd->queue_items, GG_TMD_QUEUE_ITEMS);
	const uint32_t minimum = gg_get(tmd->queue_items, GG_TMD_QUEUE_MINIMUM);

	if (task_type(task) != GG_TASK_TYPE_QUEUE) {
		return check_no_queue(task);
	}
	if (!check_ring(task)) {
		return false;
	}
	if (items == 0 || items > tmd->queue_capacity) {
		return refuse_queue(task, GG_FIELD_TMD_QUEUE_ITEMS, items);
	}
	if (minimum > items) {
		return refuse_queue(task, GG_FIELD_TMD_QUEUE_MINIMUM, minimum);
	}
	if (tmd->queue_outstanding > tmd->queue_capacity) {
		return refuse_queue(task, GG_FIELD_TMD_QUEUE_OUTSTANDING, tmd->queue_outstanding);
	}
	return true;
}

bool tmd_check_order(struct task *task)
{
	const uint32_t header = task->tmd.header;
	const bool has_quota = gg_get(header, GG_TMD_QUOTA_ENABLE) != 0;

	task->rules.sequential = gg_get(header, GG_TMD_SEQUENTIAL) != 0;
	task->rules.throttle = gg_get(header, GG_TMD_THROTTLE) != 0;
	if (task->rules.throttle && task_has_cgas(task)) {
		return task_refuse(task, GG_ERR_UNSUPPORTED, GG_FIELD_TMD_THROTTLE, 1);
	}
	return has_quota == (task->tmd.quota != 0) ||
	       task_refuse(task, GG_ERR_ARGUMENT, GG_FIELD_TMD_QUOTA, task->tmd.quota);
}

/* Removes the SMs that are not in the GPC mask. Returns whether any is left. */
static bool allow_gpcs(struct task *task)
{
	uint32_t any = 0;

	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		if ((task->tmd.gpc_mask >> sm_state_gpc(sm) & 1u) == 0) {
			bits_clear(task->allowed, sm);
		}
	}
	for (uint32_t word = 0; word < device.sm_words; word++) {
		any |= task->allowed[word];
	}
	return any != 0;
}

/* At least one SM must be allowed; bits past the last SM do not count. A throttle task needs one of the SMs that are in
 * use in throttle mode. */
bool tmd_check_affinity(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint64_t mask = gg_join(tmd->affinity_lo, tmd->affinity_hi);
	uint32_t any = 0;

	task->rules.restricted = mask != 0 || tmd->gpc_mask != 0;
	if (!task->rules.restricted) {
		return true;
	}
	if (mask != 0 && (mask % 4 != 0 || !device_holds(mask, CP_SMS / 8))) {
		return task_refuse(task, GG_ERR_AFFINITY, GG_FIELD_TMD_AFFINITY, mask);
	}
	for (uint32_t word = 0; word < device.sm_words; word++) {
		const uint32_t real = device_sms_of_word(word);

		task->allowed[word] = real & (mask != 0 ? device_words(mask)[word] : real);
		any |= task->allowed[word];
	}
	if (any == 0) {
		return task_refuse(task, GG_ERR_AFFINITY, GG_FIELD_TMD_AFFINITY, mask);
	}
	if (tmd->gpc_mask != 0 && !allow_gpcs(task)) {
		return task_refuse(task, GG_ERR_AFFINITY, GG_FIELD_TMD_GPC_MASK, tmd->gpc_mask);
	}
	return !task->rules.throttle || throttle_can_run(task, false) ||
	       task_refuse(task, GG_ERR_AFFINITY, GG_FIELD_TMD_AFFINITY, mask);
}

/* All memory that an untrusted TMD names must lie in its heap. */
static bool check_ranges(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const struct range heap = heap_of(tmd);
	const struct {
		struct range range;
		enum gg_field field;
	} named[] = {
		{ { task->source.address, sizeof(*tmd) }, GG_FIELD_COMMAND_ADDRESS },
		{ { gg_join(tmd->code_lo, tmd->code_hi), tmd->code_bytes }, GG_FIELD_TMD_CODE },
		{ { gg_join(tmd->args_lo, tmd->args_hi), tmd->args_bytes }, GG_FIELD_TMD_ARGS },
		{ { gg_join(tmd->affinity_lo, tmd->affinity_hi), CP_SMS / 8 },
		  GG_FIELD_TMD_AFFINITY },
		{ { gg_join(tmd->dependents_lo, tmd->dependents_hi),
		    (uint64_t)tmd->dependent_count * sizeof(struct gg_dependent) },
		  GG_FIELD_TMD_DEPENDENTS },
		{ { gg_join(tmd->after_lo, tmd->after_hi),
		    (uint64_t)tmd->after_count * sizeof(struct gg_dependent) },
		  GG_FIELD_TMD_AFTER },
		{ { gg_join(tmd->semaphore0_lo, tmd->semaphore0_hi), 4 }, GG_FIELD_TMD_SEMAPHORE0 },
		{ { gg_join(tmd->semaphore1_lo, tmd->semaphore1_hi), 4 }, GG_FIELD_TMD_SEMAPHORE1 },
	};

	for (uint32_t index = 0; index < sizeof(named) / sizeof(named[0]); index++) {
		const struct range range = named[index].range;

		if (range.base != 0 && range.bytes != 0 && !lies_in(range, heap)) {
			return task_refuse(task, GG_ERR_CONTEXT, named[index].field, range.base);
		}
	}
	return true;
}

bool tmd_check_context(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const struct range heap = heap_of(tmd);

	if (task->source.trusted) {
		return true;
	}
	const struct gg_tmd *parent = &task->source.parent->tmd;
	const struct range parents = heap_of(parent);

	if (tmd->context != parent->context) {
		return task_refuse(task, GG_ERR_CONTEXT, GG_FIELD_TMD_CONTEXT, tmd->context);
	}
	if (heap.base != parents.base || heap.bytes != parents.bytes) {
		return task_refuse(task, GG_ERR_CONTEXT, GG_FIELD_TMD_HEAP, heap.base);
	}
	return check_ranges(task);
}
