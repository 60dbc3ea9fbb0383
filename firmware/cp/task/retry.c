/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/retry.h"

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/work.h"

#define TIMES_MASK 15u /* of task_range.losses: how often an SM was lost */
#define BLAME      16u /* added for each of these times that the host did not ask for */

_Static_assert(RETRY_MOST <= TIMES_MASK && RETRY_MOST * (BLAME + 1u) <= UINT8_MAX,
	       "task_range.losses counts up to there");

__attribute__((cold)) void retry_note(const struct task *task, uint32_t sm, uint32_t starts,
				      uint64_t first)
{
	struct launch_rings *rings = &device.launch[sm];

	for (; starts != 0; starts &= starts - 1) {
		rings->issued[bits_lowest(starts)] = first++;
		rings->losses[bits_lowest(starts)] = task->back.losses;
	}
}

__attribute__((cold)) uint32_t retry_never_lost(uint32_t sm, uint32_t starts)
{
	const uint8_t *losses = device.launch[sm].losses;
	uint32_t first = 0;

	for (; starts != 0; starts &= starts - 1) {
		first |= losses[bits_lowest(starts)] == 0 ? bits_isolate(starts) : 0;
	}
	return first;
}

__attribute__((cold)) bool retry_suspects(uint32_t sm, uint32_t starts)
{
	const uint8_t *losses = device.launch[sm].losses;

	for (; starts != 0; starts &= starts - 1) {
		if (losses[bits_lowest(starts)] / BLAME + 1u >= RETRY_GUILTY) {
			return true;
		}
	}
	return false;
}

__attribute__((cold, noinline)) bool retry_range(struct task *task, uint32_t sm, uint32_t unit,
						 uint32_t losses, uint32_t ctas)
{
	const struct task_range range = {
		.first = device.launch[sm].issued[unit],
		.count = ctas,
		.losses = (uint8_t)losses,
	};

	return range_add(task, &range);
}

__attribute__((cold)) bool retry_cta(struct task *task, uint32_t sm, uint32_t unit, uint32_t losses)
{
	return retry_range(task, sm, unit, losses, 1);
}

__attribute__((cold)) struct refusal retry_keep(struct task *task, uint32_t sm, uint32_t starts,
						bool blamed, retry_way way)
{
	const uint8_t *losses = device.launch[sm].losses;
	const uint32_t limit = task->tmd.retry_limit;

	if (task_has_failed(task)) {
		return refusal_of(GG_ERR_SM_LOST, 0, 0);
	}
	for (; starts != 0; starts &= starts - 1) {
		const uint32_t unit = bits_lowest(starts);

		if ((losses[unit] & TIMES_MASK) >= limit) {
			return refusal_of(GG_ERR_SM_LOST, GG_FIELD_TMD_RETRY_LIMIT, limit);
		}
		if (!way(task, sm, unit, losses[unit] + 1u + (blamed ? BLAME : 0))) {
			return refusal_of(GG_ERR_SM_LOST, 0, 0); /* the pool is full */
		}
	}
	return refusal_none();
}

__attribute__((cold)) bool retry_again(struct task *task)
{
	if (!retry_is_on(task) || task->back.losses + 1u >= task->tmd.retry_limit) {
		return false;
	}
	task->back.losses++;
	return true;
}

__attribute__((cold)) void retry_take(struct task *task)
{
	const struct task_range range = range_take(task, task_queue(task) != NULL ? 1 : UINT64_MAX);

	task_work_set(task, range.first, range.count);
	task->back.losses = range.losses;
	retry_count(task, (uint32_t)range.count);
	task_table_show(task);
}
