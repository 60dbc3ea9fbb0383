/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/pull_world.h"

#include <string.h>

#define CHUNKS_MOST 100u     /* Chunks of a task, about, so that a case stays short. */
#define STEPS_MOST  2000000u /* A case that takes longer hangs. */

struct world world;
static struct world_range finished[WORLD_TASKS][WORLD_RANGES];

void world_check(bool right, const char *text)
{
	if (!right && world.broken == NULL) {
		world.broken = text;
	}
}

/* S4-C7: what a unit computes from a position is a place of the set, and that place's position. */
static void check_place(const struct world_task *task, uint64_t position)
{
	uint64_t index[ND_DIMENSIONS], back = ~position;

	nd_range_index(&task->range, position, index);
	world_check(nd_range_position(&task->range, index, &back) && back == position,
		    "position and index do not match");
}

static void report(struct world_task *task, uint64_t first, uint64_t items)
{
	if (task->finished_count == WORLD_RANGES) {
		world_check(false, "too many ranges");
		return;
	}
	task->finished[task->finished_count++] = (struct world_range){ first, items };
	task->sum += items;
}

/* Items are reported in two parts, so that a unit may die between them. */
static void execute(uint32_t fiber, uint32_t slot, const struct work_grant *grant)
{
	struct world_task *task = &world.tasks[world.slot_task[slot]];
	const uint64_t half = grant->items / 2;

	world.grants++;
	world_check(grant->id == world.slot_id[slot], "the id is not the task's");
	world_check(grant->items > 0 && grant->first < task->items &&
			    grant->items <= task->items - grant->first,
		    "a grant is outside of the set");
	if (world.broken != NULL) {
		return;
	}
	check_place(task, grant->first);
	check_place(task, grant->first + (grant->items - 1));
	for (uint64_t pause = random_below(4); pause > 0; pause--) {
		fibers_step();
	}
	if (half > 0) {
		report(task, grant->first, half);
		fibers_step();
	}
	report(task, grant->first + half, grant->items - half);
	chunk_record(&world.history[fiber][slot], grant->granules, (uint32_t)random_below(5000));
}

static enum work_result ask(uint32_t fiber, uint32_t slot, struct work_grant *grant)
{
	struct work_entry *entry = &world.entry[slot];
	const uint32_t unit = world.unit[fiber], group = world.group_of[fiber];
	const struct chunk_history *history = &world.history[fiber][slot];
	const uint32_t wish = random_below(4) == 0 ? (uint32_t)random_below(50) : 0;

	/* S4-R74: a far unit may go straight to the entry, too; but it is not through before the local
	 * queue says so. */
	if (group == 0 || random_below(32) == 0) {
		const enum work_result result = work_pull(entry, unit, wish, history, grant);

		if (group == 0 || result == WORK_GRANTED) {
			return result;
		}
	}
	for (uint32_t tries = 0; tries < world.waits; tries++) {
		const enum work_result result =
			local_take(&world.local[group][slot], entry, unit, wish, history, grant);

		if (result != WORK_WAIT) {
			return result;
		}
		fibers_step();
	}
	return work_pull(entry, unit, wish, history, grant);
}

static void tell(uint32_t fiber, uint32_t slot, uint32_t id)
{
	world.told[fiber][slot] = id;
	world.mail[slot][fiber] = id;
	world.any_mail = true;
	fibers_wake();
}

/* S4-R43…R51. Returns whether a chunk was done. */
static bool walk(uint32_t fiber)
{
	for (uint32_t slot = WORLD_SLOTS; slot-- > 0;) {
		const uint32_t id = world.entry[slot].plan.id;
		struct work_grant grant;

		if (!work_approved(&world.entry[slot], world.unit[fiber]) ||
		    world.told[fiber][slot] == id) {
			continue;
		}
		if (world.history_id[fiber][slot] != id) {
			world.history_id[fiber][slot] = id;
			memset(&world.history[fiber][slot], 0, sizeof(world.history[fiber][slot]));
		}
		const enum work_result result = ask(fiber, slot, &grant);

		if (result == WORK_GRANTED) {
			execute(fiber, slot, &grant);
			return true;
		}
		if (result == WORK_EMPTY) {
			tell(fiber, slot, id);
		}
	}
	return false;
}

void world_unit(uint32_t fiber)
{
	if (fiber == world.units) {
		world_cp();
		return;
	}
	while (!world.done) {
		const uint32_t opened = world.opened;

		if (!walk(fiber) && opened == world.opened && !world.done) {
			fibers_park();
		}
	}
}

static uint64_t random_size(void)
{
	static const uint64_t sizes[] = { 1, 1, 2, 3, 5, 7, 11, 13, 64, 1009, 65536, ND_SIZE_MOST };

	return random_below(4) != 0 ? 1 + random_below(12)
				    : sizes[random_below(sizeof(sizes) / sizeof(sizes[0]))];
}

/* S4-R97: 1 to 8 dimensions; sizes with primes, 1 and 2^32; offsets; an order; both directions. */
static void make_range(struct nd_range *range)
{
	struct nd_refusal refusal;

	do {
		range->dimensions = 1 + (uint32_t)random_below(ND_DIMENSIONS);
		for (uint32_t at = 0; at < range->dimensions; at++) {
			const uint32_t other = (uint32_t)random_below(at + 1);

			range->order[at] = range->order[other];
			range->order[other] = (uint8_t)at;
			range->size[at] = random_size();
			range->offset[at] = random_below(2) * random_below(1u << 20);
		}
		range->descending = random_below(2) != 0;
		/* Very large sets make many chunks, whatever the policy: few of them will do. */
	} while (nd_range_check(range, &refusal) != GG_OK ||
		 (nd_range_items(range) >> 36 != 0 && random_below(40) != 0));
}

static void make_task(struct world_task *task)
{
	const uint64_t items = (make_range(&task->range), nd_range_items(&task->range));
	const uint64_t least = items / CHUNKS_MOST + 1;

	task->items = items;
	task->policy.far_factor = (uint32_t)random_below(6);
	/* Larger sets than a preset can cut into few chunks get a share of what remains. */
	if (least < UINT32_MAX / 2) {
		if (random_below(2) != 0) {
			task->policy.fixed = (uint32_t)(least + random_below(10));
		} else {
			task->policy.least = (uint32_t)least;
			task->policy.target_ticks = (uint32_t)random_below(100000);
		}
	}
	task->suspend = random_below(8) == 0;
	task->pieces = 1;
	/* Unit 0 may always take, so that each task has somebody. */
	for (uint32_t fiber = 0; fiber < world.units; fiber++) {
		if (fiber == 0 || random_below(4) != 0) {
			task->approved[world.unit[fiber] / 32] |= 1u << world.unit[fiber] % 32;
		}
	}
}

static void make_units(void)
{
	const bool deaths = random_below(3) == 0, far = random_below(3) != 0;
	const uint32_t spread = random_below(2) != 0 ? WORK_SMS / WORLD_UNITS : 1;

	world.units = 1 + (uint32_t)random_below(random_below(8) == 0 ? WORLD_UNITS : 6);
	fibers_make(world.units + 1, world_unit);
	for (uint32_t fiber = 0; fiber < world.units; fiber++) {
		const uint32_t unit = fiber * spread + (uint32_t)random_below(spread);
		const uint32_t group = far ? (uint32_t)random_below(WORLD_GROUPS) : 0;

		world.unit[fiber] = unit;
		world.group_of[fiber] = group;
		world.group[group][unit / 32] |= 1u << unit % 32;
		fibers_speed(fiber, random_below(3) != 0 ? 256 : 1 + (uint32_t)random_below(60));
		if (deaths && fiber > 0 && random_below(3) == 0) {
			fibers_die_after(fiber, random_below(300));
		}
	}
}

const char *world_case(uint64_t seed)
{
	memset(&world, 0, sizeof(world));
	random_seed(seed);
	make_units();
	world.waits = 1 + (uint32_t)random_below(30);
	world.threshold = (uint32_t)random_below(3) * (uint32_t)random_below(20);
	world.tasks_count = 1 + (uint32_t)random_below(WORLD_TASKS);
	for (uint32_t task = 0; task < world.tasks_count; task++) {
		world.tasks[task].finished = finished[task];
		make_task(&world.tasks[task]);
		world.pieces[world.pieces_count++] =
			(struct world_piece){ task, { 0, world.tasks[task].items } };
	}
	if (!fibers_run(STEPS_MOST)) {
		world_check(false, "it hangs");
	}
	for (uint32_t task = 0; task < world.tasks_count && world.broken == NULL; task++) {
		struct world_range missing;

		world_check(world_missing(&world.tasks[task], &missing, 1) == 0,
			    "an item was not done");
	}
	return world.broken;
}
