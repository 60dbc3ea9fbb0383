/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/pull/pull_range.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/cp/base/limits.h"

/** A place of the pool. */
struct range {
	uint64_t first; /* position of the first item */
	uint64_t count;
	bool again;
	uint16_t next; /* number of the next place of its list, plus 1; 0 for the last */
};

static struct range places[CP_RANGES];
static uint16_t first_free; /* first free place, as in `next` */
static uint32_t free_places;
static uint32_t reserved; /* free places that are in reserve */

_Static_assert(CP_RANGES < UINT16_MAX, "a number of a place, plus 1, has 16 bits");

void pull_range_init(void)
{
	for (uint32_t place = 0; place < CP_RANGES; place++) {
		places[place].next = (uint16_t)(place + 1 < CP_RANGES ? place + 2 : 0);
	}
	first_free = 1;
	free_places = CP_RANGES;
	reserved = 0;
}

uint32_t pull_range_free(void)
{
	return free_places - reserved;
}

bool pull_range_reserve(uint32_t count)
{
	if (pull_range_free() < count) {
		return false;
	}
	reserved += count;
	return true;
}

void pull_range_unreserve(uint32_t count)
{
	assert(count <= reserved);
	reserved -= count;
}

/* The first range grows when the new items are next to it. That is so for chunks that were taken one after the
 * other. */
static bool grow(struct range *range, const struct pull_items *items)
{
	if (range->again != items->again) {
		return false;
	}
	if (items->first == range->first + range->count) {
		range->count += items->count;
		return true;
	}
	if (range->first == items->first + items->count) {
		range->first = items->first;
		range->count += items->count;
		return true;
	}
	return false;
}

bool pull_range_add(struct task *task, const struct pull_items *items)
{
	if (task->pull.ranges == 0 || !grow(&places[task->pull.ranges - 1], items)) {
		const uint16_t place = first_free;

		if (free_places == reserved) {
			return false;
		}
		first_free = places[place - 1].next;
		free_places--;
		places[place - 1] = (struct range){ items->first, items->count, items->again,
						    task->pull.ranges };
		task->pull.ranges = place;
	}
	task->pull.given_back += items->count;
	return true;
}

static void give_place(struct task *task)
{
	struct range *range = &places[task->pull.ranges - 1];
	const uint16_t next = range->next;

	range->next = first_free;
	first_free = task->pull.ranges;
	free_places++;
	task->pull.ranges = next;
}

struct pull_items pull_range_take(struct task *task, uint64_t most)
{
	struct range *range = &places[task->pull.ranges - 1];
	struct pull_items items = { range->first, range->count, range->again };

	if (most < items.count) {
		items.count = most;
		range->first += most;
		range->count -= most;
	} else {
		give_place(task);
	}
	task->pull.given_back -= items.count;
	return items;
}

uint64_t pull_range_next(const struct task *task)
{
	return task->pull.ranges != 0 ? places[task->pull.ranges - 1].count : 0;
}

void pull_range_drop(struct task *task)
{
	while (task->pull.ranges != 0) {
		task->pull.given_back -= places[task->pull.ranges - 1].count;
		give_place(task);
	}
}
