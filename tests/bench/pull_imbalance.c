/* SPDX-License-Identifier: Apache-2.0 */
/* How evenly units end when they pull chunks: a simulation in ticks with the firmware's own code, for
 * tests/bench/pull_imbalance.py. Prints for each kind of cost, number of units and way of sharing:
 * finish time over the ideal (mean and largest of the rounds, in 1/1000), requests per unit (in 1/10).
 *
 * The ideal is the larger one of all costs over the units and the longest item: nothing can end
 * earlier. Costs are from 100 to 100,000 ticks. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/pull/local_queue.h"
#include "firmware/pull/work_queue.h"

#define UNITS_MOST   1024u
#define ITEMS_EACH   128u /* Items per unit. */
#define ROUNDS       8u
#define GROUP_UNITS  16u  /* Every second group is far in the way FAR. */
#define TICKS_NEAR   200u /* From a request to the first instruction of an item. */
#define TICKS_FAR    4000u
#define TICKS_SERIAL 10u /* The counter serves one request at a time. */
#define SEED         20091230u

enum way {
	ADAPTIVE,
	FAR,
	FIXED_1,
	FIXED_64,
	ROUND_ROBIN,
	SPLIT,
	WAYS
};
enum kind {
	SPREAD,
	RARE,
	FALLING,
	RISING,
	KINDS
};

static const char *const way_names[WAYS] = { "adaptive",     "adaptive, half far", "chunks of 1",
					     "chunks of 64", "round robin",        "static split" };
static const char *const kind_names[KINDS] = { "spread", "rare", "falling", "rising" };

static uint32_t cost[UNITS_MOST * ITEMS_EACH], items, units;
static uint64_t now[UNITS_MOST]; /* When each unit asks next. */
static struct chunk_history history[UNITS_MOST];
static struct work_entry entry;
static struct local_queue local[UNITS_MOST / GROUP_UNITS];
static uint64_t arrives[UNITS_MOST / GROUP_UNITS][2]; /* The portions of a group. */
static uint64_t counter_free, requests, state;

static uint32_t random_below(uint32_t below)
{
	uint64_t word = state += 0x9e3779b97f4a7c15u;

	word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
	word = (word ^ word >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)((word ^ word >> 31) >> 32) % below;
}

/* 100 * 1000^(x / 1000), by thirds of a power of ten. */
static uint32_t power(uint32_t x)
{
	static const uint32_t steps[4] = { 100, 1000, 10000, 100000 };
	const uint32_t third = x * 3 / 1000, low = steps[third > 2 ? 2 : third];
	double value = low;

	/* 10^(1/333) at each step: multiplications alone, so that all machines get the same. */
	for (uint32_t step = third > 2 ? 667 : third * 1000 / 3; step < x; step++) {
		value *= 1.0069386;
	}
	return value < 100000.0 ? (uint32_t)value : 100000u;
}

static uint32_t make_cost(enum kind kind, uint32_t item)
{
	const uint32_t at = (uint32_t)((uint64_t)item * 999 / items);

	switch (kind) {
	case SPREAD:
		return power(random_below(1000));
	case RARE:
		return random_below(20) == 0 ? 100000 : 100;
	case FALLING:
		return 100 + (999 - at) * 100 + random_below(100);
	default:
		return 100 + at * 100 + random_below(100);
	}
}

static uint64_t sum(uint64_t first, uint64_t count)
{
	uint64_t ticks = 0;

	for (uint64_t item = first; item < first + count; item++) {
		ticks += cost[item];
	}
	return ticks;
}

static uint64_t ideal(void)
{
	uint64_t longest = 0, share = (sum(0, items) + units - 1) / units;

	for (uint32_t item = 0; item < items; item++) {
		longest = cost[item] > longest ? cost[item] : longest;
	}
	return share > longest ? share : longest;
}

static void open_queues(enum way way)
{
	uint32_t approved[WORK_SM_WORDS];
	struct work_order order = {
		.items = items, .groups = 1, .approved = approved, .words = WORK_SM_WORDS
	};
	struct work_seen seen;

	/* More units than bits share them: nobody asks who has seen what here. */
	memset(approved, 0xff, sizeof(approved));
	memset(&entry, 0, sizeof(entry));
	memset(local, 0, sizeof(local));
	order.groups = way == FAR ? units / GROUP_UNITS / 2 + 1 : 1;
	order.policy.fixed = way == FIXED_1 ? 1 : way == FIXED_64 ? 64 : 0;
	if (work_place(&entry, &order, &seen) != GG_OK) {
		abort();
	}
	entry.plan.sms = units;
	for (uint32_t group = 0; group < units / GROUP_UNITS; group++) {
		(void)local_open(&local[group], &entry, approved, 0);
		local[group].members = GROUP_UNITS;
		local[group].threshold = GROUP_UNITS / 2;
	}
	work_open(&entry);
}

/* One request to the counter; returns when its answer is there. */
static uint64_t counter(uint64_t at, uint64_t ticks)
{
	const uint64_t served = at > counter_free ? at : counter_free;

	counter_free = served + TICKS_SERIAL;
	requests++;
	return served + TICKS_SERIAL + ticks;
}

/* A unit of a far group: what is staged is near; a new portion takes its time to arrive. */
static enum work_result take_far(uint32_t unit, uint64_t *start, struct work_grant *grant)
{
	const uint32_t group = unit / GROUP_UNITS;
	uint32_t fetched = local[group].state % LOCAL_NUMBERS;
	const enum work_result result =
		local_take(&local[group], &entry, unit % WORK_SMS, 0, &history[unit], grant);

	while (fetched != local[group].state % LOCAL_NUMBERS) {
		fetched = (fetched + 1u) % LOCAL_NUMBERS;
		arrives[group][fetched % 2u] = counter(now[unit], TICKS_FAR);
	}
	*start = now[unit] + TICKS_NEAR;
	if (result == WORK_GRANTED) {
		const uint64_t there = arrives[group][local[group].word >> LOCAL_LEFT_BITS & 1u];

		*start = there > *start ? there : *start;
	}
	return result;
}

/* The unit at the top has a new time: put it where it belongs. A unit's time never gets smaller. */
static void sift(uint32_t *heap, uint32_t count)
{
	uint32_t at = 0;

	for (uint32_t child = 1; child < count; child = at * 2u + 1u) {
		const uint32_t unit = heap[at];

		if (child + 1u < count && now[heap[child + 1u]] < now[heap[child]]) {
			child++;
		}
		if (now[heap[child]] >= now[unit]) {
			return;
		}
		heap[at] = heap[child];
		heap[child] = unit;
		at = child;
	}
}

static uint64_t pull(enum way way)
{
	static uint32_t heap[UNITS_MOST];
	uint64_t end = 0;

	open_queues(way);
	memset(now, 0, sizeof(now));
	memset(history, 0, sizeof(history));
	memset(arrives, 0, sizeof(arrives));
	counter_free = requests = 0;
	for (uint32_t unit = 0; unit < units; unit++) {
		heap[unit] = unit;
	}
	for (uint32_t left = units; left > 0; sift(heap, units)) {
		const uint32_t next = heap[0];
		struct work_grant grant;
		uint64_t start;

		const enum work_result result =
			way == FAR && next / GROUP_UNITS % 2 != 0
				? take_far(next, &start, &grant)
				: (start = counter(now[next], TICKS_NEAR),
				   work_pull(&entry, next % WORK_SMS, 0, &history[next], &grant));

		if (result != WORK_GRANTED) {
			now[next] = UINT64_MAX;
			left--;
			continue;
		}
		const uint64_t ticks = sum(grant.first, grant.items);

		chunk_record(&history[next], grant.granules, (uint32_t)ticks);
		now[next] = start + ticks;
		end = now[next] > end ? now[next] : end;
	}
	return end;
}

/* Without requests: each unit knows its items beforehand. */
static uint64_t push(enum way way)
{
	uint64_t end = 0;

	requests = 0;
	memset(now, 0, sizeof(now));
	for (uint32_t item = 0; item < items; item++) {
		now[way == SPLIT ? item / ITEMS_EACH : item % units] += cost[item];
	}
	for (uint32_t unit = 0; unit < units; unit++) {
		end = now[unit] > end ? now[unit] : end;
	}
	return end + TICKS_NEAR;
}

static void print_line(enum kind kind, enum way way)
{
	uint64_t total = 0, worst = 0, asked = 0;

	state = SEED + kind;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		for (uint32_t item = 0; item < items; item++) {
			cost[item] = make_cost(kind, item);
		}
		const uint64_t ticks = way >= ROUND_ROBIN ? push(way) : pull(way);
		const uint64_t ratio = (ticks * 1000 + ideal() / 2) / ideal();

		total += ratio;
		worst = ratio > worst ? ratio : worst;
		asked += requests;
	}
	printf("%s\t%u\t%s\t%llu\t%llu\t%llu\n", kind_names[kind], units, way_names[way],
	       (unsigned long long)((total + ROUNDS / 2) / ROUNDS), (unsigned long long)worst,
	       (unsigned long long)(asked * 10 / ROUNDS / units));
}

int main(void)
{
	static const uint32_t sizes[] = { 16, 32, 64, 128, 256, 512, 1024 };

	for (enum kind kind = SPREAD; kind < KINDS; kind++) {
		for (uint32_t at = 0; at < sizeof(sizes) / sizeof(sizes[0]); at++) {
			units = sizes[at];
			items = units * ITEMS_EACH;
			for (enum way way = ADAPTIVE; way < WAYS; way++) {
				/* One group is near. */
				if (way != FAR || units > GROUP_UNITS) {
					print_line(kind, way);
				}
			}
		}
	}
	return 0;
}
