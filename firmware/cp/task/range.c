/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/range.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/cp/base/limits.h"

/** A place of the pool. */
struct place {
	uint64_t first;
	uint64_t count;
	uint8_t losses;
	uint16_t next; /* number of the next place of its list, plus 1; 0 for the last */
};

static struct place places[CP_RANGES];
static uint16_t first_free; /* first free place, as in `next` */
static uint32_t free_places;
static uint32_t reserved; /* free places that are in reserve */

_Static_assert(CP_RANGES < UINT16_MAX, "a number of a place, plus 1, has 16 bits");

void range_init(void)
{
	for (uint32_t place = 0; place < CP_RANGES; place++) {
		places[place].next = (uint16_t)(place + 1 < CP_RANGES ? place + 2 : 0);
	}
	first_free = 1;
	free_places = CP_RANGES;
	reserved = 0;
}

uint32_t range_free(void)
{
	return free_places - reserved;
}

bool range_reserve(uint32_t count)
{
	if (range_free() < count) {
		return false;
	}
	reserved += count;
	return true;
}

void range_unreserve(uint32_t count)
{
	assert(count <= reserved);
	reserved -= count;
}

/* The first range grows when the new one is next to it. That is so for chunks that were taken one after the
 * other. */
static bool grow(struct place *range, const struct task_range *more)
{
	if (range->losses != more->losses) {
		return false;
	}
	if (more->first == range->first + range->count) {
		range->count += more->count;
		return true;
	}
	if (range->first == more->first + more->count) {
		range->first = more->first;
		range->count += more->count;
		return true;
	}
	return false;
}

bool range_add(struct task *task, const struct task_range *range)
{
	if (task->back.ranges == 0 || !grow(&places[task->back.ranges - 1], range)) {
		const uint16_t place = first_free;

		if (free_places == reserved) {
			return false;
		}
		first_free = places[place - 1].next;
		free_places--;
		places[place - 1] = (struct place){ range->first, range->count, range->losses,
						    task->back.ranges };
		task->back.ranges = place;
	}
	task->back.ctas += range->count;
	return true;
}

static void give_place(struct task *task)
{
	struct place *place = &places[task->back.ranges - 1];
	const uint16_t next = place->next;

	place->next = first_free;
	first_free = task->back.ranges;
	free_places++;
	task->back.ranges = next;
}

struct task_range range_take(struct task *task, uint64_t most)
{
	struct place *range = &places[task->back.ranges - 1];
	struct task_range taken = { range->first, range->count, range->losses };

	if (most < taken.count) {
		taken.count = most;
		range->first += most;
		range->count -= most;
	} else {
		give_place(task);
	}
	task->back.ctas -= taken.count;
	return taken;
}

uint64_t range_next(const struct task *task)
{
	return task->back.ranges != 0 ? places[task->back.ranges - 1].count : 0;
}

void range_drop(struct task *task)
{
	while (task->back.ranges != 0) {
		task->back.ctas -= places[task->back.ranges - 1].count;
		give_place(task);
	}
}
