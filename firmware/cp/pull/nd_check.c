/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/pull/nd_check.h"

#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/task/work.h"
#include "firmware/pull/nd_range.h"

#define ORDER_BITS 4u

static bool refuse(struct task *task, enum gg_field field, uint64_t value)
{
	return task_refuse(task, GG_ERR_RANGE, field, value);
}

/* Decodes what is checked of a range, but not the rows. The caller checks that entries of `order` past the last dimension are zero. */
static void decode(const struct gg_nd_range *words, struct nd_range *range)
{
	range->dimensions = gg_get(words->shape, GG_ND_RANGE_DIMENSIONS);
	range->rows = NULL;
	for (uint32_t dimension = 0; dimension < ND_DIMENSIONS; dimension++) {
		const uint32_t low = 2 * dimension;

		range->order[dimension] =
			(uint8_t)(words->order >> ORDER_BITS * dimension & bits_ones(ORDER_BITS));
		range->size[dimension] = gg_join(words->sizes[low], words->sizes[low + 1]);
		range->offset[dimension] = gg_join(words->offsets[low], words->offsets[low + 1]);
	}
}

static bool refuse_part(struct task *task, const struct nd_refusal *refusal)
{
	static const enum gg_field fields[] = {
		[ND_FIELD_DIMENSIONS] = GG_FIELD_ND_RANGE_DIMENSIONS,
		[ND_FIELD_ORDER] = GG_FIELD_ND_RANGE_ORDER,
		[ND_FIELD_SIZE] = GG_FIELD_ND_RANGE_SIZES,
		[ND_FIELD_OFFSET] = GG_FIELD_ND_RANGE_OFFSETS,
		[ND_FIELD_ROWS] = GG_FIELD_ND_RANGE_ROWS,
	};

	return refuse(task, fields[refusal->field], refusal->value);
}

static bool check_words(struct task *task, const struct gg_nd_range *words,
			const struct nd_range *range)
{
	const uint32_t reserved = gg_get(words->shape, GG_ND_RANGE_RANGE_RESERVED);
	struct nd_refusal refusal;

	if (reserved != 0) {
		return refuse(task, GG_FIELD_ND_RANGE_RANGE_RESERVED, reserved);
	}
	if (nd_range_check(range, &refusal) != GG_OK) {
		return refuse_part(task, &refusal);
	}
	if ((words->order & ~bits_ones(ORDER_BITS * range->dimensions)) != 0) {
		return refuse(task, GG_FIELD_ND_RANGE_ORDER, words->order);
	}
	return true;
}

/* The last rows are always checked, because they say how many items there are. */
static bool check_rows(struct task *task, struct nd_range *range, uint64_t address)
{
	const uint64_t rows = nd_range_rows(range);
	const uint64_t checked = rows < ND_CHECK_ROWS ? rows : ND_CHECK_ROWS / 2;
	struct nd_refusal refusal;

	if (rows >= device.memory_bytes / sizeof(uint64_t) || address % sizeof(uint64_t) != 0 ||
	    !task_heap_holds(task, address, (rows + 1) * sizeof(uint64_t))) {
		return refuse(task, GG_FIELD_ND_RANGE_ROWS, address);
	}
	range->rows = device_pointer(address);
	if (nd_range_check_rows(range, 0, checked, &refusal) != GG_OK ||
	    nd_range_check_rows(range, rows - checked, checked, &refusal) != GG_OK) {
		return refuse_part(task, &refusal);
	}
	return true;
}

static bool check_items(struct task *task, uint64_t items, enum gg_field field)
{
	if (items == 0 || items >= PULL_GRID_MOST) {
		return task_refuse(task, items == 0 ? GG_ERR_GRID_ZERO : GG_ERR_GRID_OVERFLOW,
				   field, items);
	}
	task_work_set(task, 0, items);
	return true;
}

bool nd_check_range(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint64_t address = gg_join(tmd->queue_lo, tmd->queue_hi);
	struct gg_nd_range words;
	struct nd_range range;

	if (!task_is_pull(task) || address == 0) {
		return !task_is_pull(task) ||
		       check_items(task, task->work.left, GG_FIELD_TMD_GRID_X);
	}
	if (task->work.left != 1) {
		return refuse(task, GG_FIELD_TMD_GRID_X, task->work.left);
	}
	if (address % 4 != 0 || !task_heap_holds(task, address, sizeof(words))) {
		return refuse(task, GG_FIELD_TMD_QUEUE, address);
	}
	memcpy(&words, device_pointer(address), sizeof(words));
	decode(&words, &range);
	if (!check_words(task, &words, &range)) {
		return false;
	}
	const uint64_t rows = gg_join(words.rows_lo, words.rows_hi);

	return (rows == 0 || check_rows(task, &range, rows)) &&
	       check_items(task, nd_range_items(&range), GG_FIELD_ND_RANGE_SIZES);
}

/* Checks that a PULL grid has no attribute that such grids do not support. */
static bool check_mode(struct task *task)
{
	const uint32_t header = task->tmd.header;
	const struct {
		uint32_t value;
		enum gg_field field;
	} none[] = {
		{ gg_get(header, GG_TMD_SEQUENTIAL), GG_FIELD_TMD_SEQUENTIAL },
		{ gg_get(header, GG_TMD_THROTTLE), GG_FIELD_TMD_THROTTLE },
		{ gg_get(header, GG_TMD_QUOTA_ENABLE), GG_FIELD_TMD_QUOTA_ENABLE },
		{ task->tmd.quota, GG_FIELD_TMD_QUOTA },
	};

	for (uint32_t index = 0; index < sizeof(none) / sizeof(none[0]); index++) {
		if (none[index].value != 0) {
			return task_refuse(task, GG_ERR_MODE, none[index].field, none[index].value);
		}
	}
	return true;
}

bool nd_check_chunk(struct task *task)
{
	const uint32_t chunk = task->tmd.chunk;

	if (!task_is_pull(task)) {
		return chunk == 0 || task_refuse(task,
						 part_is_here(GG_FEATURE_PULL) ? GG_ERR_CHUNK
									       : GG_ERR_UNSUPPORTED,
						 GG_FIELD_TMD_CHUNK, chunk);
	}
	if (!check_mode(task)) {
		return false;
	}
	return (chunk <= task->work.left && chunk <= CHUNK_MOST) ||
	       task_refuse(task, GG_ERR_CHUNK, GG_FIELD_TMD_CHUNK, chunk);
}
