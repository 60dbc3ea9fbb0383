/* SPDX-License-Identifier: Apache-2.0 */
/* The control processor of tests/unit/pull_world.h. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/pull_world.h"

static int by_first(const void *one, const void *other)
{
	const uint64_t a = ((const struct world_range *)one)->first;
	const uint64_t b = ((const struct world_range *)other)->first;

	return a < b ? -1 : a > b;
}

uint32_t world_missing(struct world_task *task, struct world_range *missing, uint32_t most)
{
	uint64_t at = 0;
	uint32_t count = 0;

	qsort(task->finished, task->finished_count, sizeof(*task->finished), by_first);
	for (uint32_t next = 0; next <= task->finished_count; next++) {
		const bool end = next == task->finished_count;
		const uint64_t first = end ? task->items : task->finished[next].first;

		world_check(first >= at, "an item was done twice, or is past the end");
		if (first > at && count < most) {
			missing[count++] = (struct world_range){ at, first - at };
		}
		at = end ? at : first + task->finished[next].items;
	}
	return count;
}

static void leave_out_the_dead(uint32_t *approved, const uint32_t *wanted)
{
	memcpy(approved, wanted, WORK_SM_WORDS * sizeof(*approved));
	for (uint32_t fiber = 0; fiber < world.units; fiber++) {
		if (world.buried[fiber]) {
			approved[world.unit[fiber] / 32] &= ~(1u << world.unit[fiber] % 32);
		}
	}
}

static void place(uint32_t slot, const struct world_piece *piece)
{
	struct world_task *task = &world.tasks[piece->task];
	struct work_entry *entry = &world.entry[slot];
	uint32_t approved[WORK_SM_WORDS];
	struct work_order order = {
		.id = slot | ++world.generation << 16,
		.first = piece->range.first,
		.items = piece->range.items,
		.groups = 2,
		.policy = task->policy,
		.approved = approved,
		.words = WORK_SM_WORDS,
	};

	leave_out_the_dead(approved, task->approved);
	world_check(work_place(entry, &order, &world.seen[slot]) == GG_OK, "an entry is refused");
	world_check(work_place(entry, &order, &world.seen[slot]) == GG_ERR_BUSY,
		    "an entry is placed twice");
	for (uint32_t group = 1; group < WORLD_GROUPS; group++) {
		struct local_queue *local = &world.local[group][slot];
		/* Begin where the numbers of portions wrap. */
		const uint32_t number = LOCAL_NUMBERS - 1 - (uint32_t)random_below(4);

		if (local_open(local, entry, world.group[group], world.threshold) != 0) {
			local->word = number << LOCAL_LEFT_BITS;
			local->state = LOCAL_STAGED << 12 | number;
		}
	}
	world.slot_task[slot] = piece->task;
	world.slot_id[slot] = order.id;
	work_open(entry);
	world.opened++;
	fibers_wake();
}

static bool place_pieces(void)
{
	bool any = false;

	for (uint32_t slot = 0; slot < WORLD_SLOTS && world.pieces_count > 0; slot++) {
		if (world.entry[slot].state == WORK_FREE) {
			place(slot, &world.pieces[0]);
			world.pieces_count--;
			memmove(&world.pieces[0], &world.pieces[1],
				world.pieces_count * sizeof(world.pieces[0]));
			any = true;
		}
	}
	return any;
}

/* A unit that died counts as one that came back, in each entry that is in use. */
static bool bury(void)
{
	bool any = false;

	for (uint32_t fiber = 0; fiber < world.units; fiber++) {
		if (!fibers_dead(fiber) || world.buried[fiber]) {
			continue;
		}
		world.buried[fiber] = any = true;
		world.deaths++;
		for (uint32_t slot = 0; slot < WORLD_SLOTS; slot++) {
			if (world.entry[slot].state != WORK_FREE) {
				(void)work_mark(&world.seen[slot], world.unit[fiber]);
			}
		}
	}
	return any;
}

static bool read_mail(void)
{
	const bool any = world.any_mail;

	world.any_mail = false;
	for (uint32_t slot = 0; any && slot < WORLD_SLOTS; slot++) {
		for (uint32_t fiber = 0; fiber < world.units; fiber++) {
			if (world.mail[slot][fiber] == world.slot_id[slot]) {
				(void)work_mark(&world.seen[slot], world.unit[fiber]);
			}
			world.mail[slot][fiber] = 0;
		}
	}
	return any;
}

/* S4-R116: nobody died, so what was granted is done, and what was not is one range. */
static void check_end(const struct world_task *task, const struct work_entry *entry)
{
	uint64_t first = task->items;
	const uint64_t rest = work_rest(entry, &first);

	if (world.deaths == 0 && task->pieces == 1) {
		world_check(task->sum + rest == task->items && first + rest == task->items,
			    "all units came back, and items are not done");
	}
}

static void put_back(uint32_t number)
{
	struct world_task *task = &world.tasks[number];
	static struct world_range missing[WORLD_PIECES];
	const uint32_t count = world_missing(task, missing, WORLD_PIECES - world.pieces_count);

	for (uint32_t at = 0; at < count; at++) {
		world.pieces[world.pieces_count++] = (struct world_piece){ number, missing[at] };
	}
	task->pieces = count;
	world.over += count == 0 ? 1 : 0;
}

static bool finish(void)
{
	bool any = false;

	for (uint32_t slot = 0; slot < WORLD_SLOTS; slot++) {
		struct work_entry *entry = &world.entry[slot];
		struct world_task *task = &world.tasks[world.slot_task[slot]];

		if (entry->state == WORK_FREE || world.seen[slot].left != 0) {
			continue;
		}
		check_end(task, entry);
		world_check(work_free(entry, &world.seen[slot]), "an entry is not freed");
		for (uint32_t group = 1; group < WORLD_GROUPS; group++) {
			local_close(&world.local[group][slot]);
		}
		if (--task->pieces == 0) {
			put_back(world.slot_task[slot]);
		}
		any = true;
	}
	return any;
}

/* S4-R115: suspended after some steps; the entry ends as always, and the rest is placed later. */
static void suspend(void)
{
	for (uint32_t slot = 0; slot < WORLD_SLOTS; slot++) {
		struct world_task *task = &world.tasks[world.slot_task[slot]];

		if (world.entry[slot].state == WORK_OPEN && task->suspend && random_below(4) == 0) {
			task->suspend = false;
			work_stop(&world.entry[slot]);
		}
	}
}

void world_cp(void)
{
	while (world.over < world.tasks_count && world.broken == NULL) {
		bool any = bury();

		any = read_mail() || any;
		any = finish() || any;
		any = place_pieces() || any;
		suspend();
		if (!any && !world.any_mail) {
			fibers_park();
		}
	}
	world.done = true;
	fibers_wake();
}
