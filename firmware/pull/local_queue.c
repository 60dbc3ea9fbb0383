/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/pull/local_queue.h"

#include "hal/atomic.h"

#define LEFT_MASK   ((1u << LOCAL_LEFT_BITS) - 1u)
#define STATE_SHIFT 12u /* Number of a portion in `state`. */
#define TRIES \
	64u /* Attempts; each one that fails means that another SM of the group made progress. */

_Static_assert(CHUNK_MOST <= LEFT_MASK, "a portion fits into the word");
_Static_assert(LOCAL_NUMBERS == 1u << (32u - LOCAL_LEFT_BITS), "so does its number");
_Static_assert(LOCAL_NUMBERS == 1u << STATE_SHIFT, "and into the state");
_Static_assert(sizeof(struct local_queue) % 64u == 0, "whole cache lines");

static uint32_t state_of(enum local_kind kind, uint32_t number)
{
	return (uint32_t)kind << STATE_SHIFT | number % LOCAL_NUMBERS;
}

static bool has_sm(const uint32_t *sms, uint32_t sm)
{
	return (sms[sm / 32u] >> sm % 32u & 1u) != 0;
}

uint32_t local_open(struct local_queue *queue, const struct work_entry *entry,
		    const uint32_t *group, uint32_t threshold)
{
	uint32_t members = 0;

	for (uint32_t at = 0; at < WORK_SM_WORDS; at++) {
		queue->approved[at] = group[at] & entry->approved[at];
		queue->seen_by[at] = 0;
		for (uint32_t word = queue->approved[at]; word != 0; word &= word - 1u) {
			members++;
		}
	}
	queue->word = 0;
	queue->stopped = 0;
	queue->members = members;
	queue->threshold = threshold;
	queue->plan = entry->plan;
	/* Portion 0 is in use and empty, so the first SM that comes fetches one. */
	if (members != 0) {
		atomic_store(&queue->state, state_of(LOCAL_STAGED, 0));
	}
	return members;
}

/* Fetch portion `number`. This SM has made the state FETCHING, so nobody else changes it now. An SM that may not
 * take from the entry any more cannot say whether the entry is empty: it leaves the portion to others. Returns
 * whether it fetched one. */
static bool fetch(struct local_queue *queue, struct work_entry *entry, uint32_t sm, uint32_t number,
		  const struct chunk_history *history)
{
	const struct work_plan *plan = &queue->plan;
	const uint32_t want = chunk_portion(&plan->policy, history, work_remaining(entry),
					    plan->sms, plan->groups, queue->members);
	struct work_grant grant;
	const enum work_result result = want != 0 ? work_take(entry, sm, want, &grant) : WORK_EMPTY;
	uint32_t state = state_of(LOCAL_EMPTY, number);

	if (result == WORK_GRANTED) {
		atomic_store(&queue->first[number % 2u], plan->granules - grant.before);
		atomic_store(&queue->count[number % 2u], grant.granules);
		state = state_of(LOCAL_STAGED, number);
	} else if (result == WORK_NOT_APPROVED) {
		state = state_of(LOCAL_STAGED, number - 1u);
	}
	atomic_store(&queue->state, state);
	return result == WORK_GRANTED;
}

/* Become the SM that fetches the portion after `number`, and fetch it. Returns whether this SM has fetched one;
 * false when another SM does, or did. */
static bool try_fetch(struct local_queue *queue, struct work_entry *entry, uint32_t sm,
		      uint32_t number, const struct chunk_history *history)
{
	if (!atomic_compare_swap(&queue->state, state_of(LOCAL_STAGED, number),
				 state_of(LOCAL_FETCHING, number + 1u))) {
		return false;
	}
	return fetch(queue, entry, sm, number + 1u, history);
}

/* Take from the portion in use, of which something is left. first and count are read before the swap:
 * as long as `word` has this number, nobody writes them. Changes nothing when another SM is faster. */
static void try_grant(struct local_queue *queue, uint32_t word, uint32_t wish,
		      const struct chunk_history *history, struct work_grant *grant)
{
	const uint32_t place = word >> LOCAL_LEFT_BITS & 1u, left = word & LEFT_MASK;
	const uint32_t first = atomic_load(&queue->first[place]);
	const uint32_t count = atomic_load(&queue->count[place]);
	const uint32_t size = chunk_size(&queue->plan.policy, history, wish, count, queue->members);
	const uint32_t taken = size < left ? size : left;

	if (atomic_compare_swap(&queue->word, word, word - taken)) {
		work_locate(&queue->plan, first + (count - left), taken, grant);
		grant->before = left;
	}
}

/* Go on to the portion after `number`, which is staged. It does not matter who does it. */
static void move_on(struct local_queue *queue, uint32_t word, uint32_t number)
{
	const uint32_t next = (number + 1u) % LOCAL_NUMBERS;
	const uint32_t count = atomic_load(&queue->count[next % 2u]);

	(void)atomic_compare_swap(&queue->word, word, next << LOCAL_LEFT_BITS | count);
}

/* Nothing is left of the portion in use. Returns WORK_GRANTED when it is worthwhile to look again. */
static enum work_result refill(struct local_queue *queue, struct work_entry *entry, uint32_t sm,
			       uint32_t word, const struct chunk_history *history, bool *fetched)
{
	const uint32_t number = word >> LOCAL_LEFT_BITS, state = atomic_load(&queue->state);

	if (state == state_of(LOCAL_STAGED, number)) {
		*fetched |= try_fetch(queue, entry, sm, number, history);
	} else if (state == state_of(LOCAL_STAGED, number + 1u)) {
		move_on(queue, word, number);
	} else if (state == state_of(LOCAL_FETCHING, number + 1u)) {
		return WORK_WAIT;
	} else if (state == state_of(LOCAL_EMPTY, number + 1u)) {
		return WORK_EMPTY;
	}
	/* Any other state speaks of a later portion: `word` has changed since it was read. */
	return WORK_GRANTED;
}

/* One try. Returns WORK_GRANTED with grant->granules of 0 when another SM was faster. */
static enum work_result try_take(struct local_queue *queue, struct work_entry *entry, uint32_t sm,
				 uint32_t wish, const struct chunk_history *history,
				 struct work_grant *grant)
{
	const uint32_t word = atomic_load(&queue->word), left = word & LEFT_MASK;

	grant->granules = 0;
	if (left == 0) {
		return refill(queue, entry, sm, word, history, &grant->fetched);
	}
	try_grant(queue, word, wish, history, grant);
	if (grant->granules != 0 && left - grant->granules <= queue->threshold) {
		grant->fetched |= try_fetch(queue, entry, sm, word >> LOCAL_LEFT_BITS, history);
	}
	return WORK_GRANTED;
}

enum work_result local_take(struct local_queue *queue, struct work_entry *entry, uint32_t sm,
			    uint32_t wish, const struct chunk_history *history,
			    struct work_grant *grant)
{
	enum work_result result = WORK_GRANTED;

	grant->granules = 0;
	grant->fetched = false;
	if (atomic_load(&queue->state) == LOCAL_CLOSED || !has_sm(queue->approved, sm)) {
		return WORK_NOT_APPROVED;
	}
	if (atomic_load(&queue->stopped) != 0) {
		return WORK_EMPTY;
	}
	for (uint32_t tries = 0; tries < TRIES; tries++) {
		result = try_take(queue, entry, sm, wish, history, grant);
		if (result != WORK_GRANTED || grant->granules != 0) {
			return result;
		}
	}
	return WORK_WAIT;
}

void local_stop(struct local_queue *queue)
{
	atomic_store(&queue->stopped, 1u);
}

void local_close(struct local_queue *queue)
{
	atomic_store(&queue->state, LOCAL_CLOSED);
}
