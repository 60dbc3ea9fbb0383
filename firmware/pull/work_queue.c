/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/pull/work_queue.h"

#include "hal/atomic.h"

_Static_assert(sizeof(struct work_entry) == 128u, "an entry is two cache lines");
_Static_assert((uint64_t)WORK_SMS *CHUNK_MOST <= (uint64_t)1 << 30, "wir stays above -2^31");

static uint64_t join(uint32_t low, uint32_t high)
{
	return (uint64_t)high << 32 | low;
}

static uint32_t count_bits(uint32_t word)
{
	uint32_t bits = 0;

	for (; word != 0; word &= word - 1u) {
		bits++;
	}
	return bits;
}

static uint32_t count_sms(const struct work_order *order)
{
	uint32_t count = 0;

	for (uint32_t at = 0; at < order->words; at++) {
		count += count_bits(order->approved[at]);
	}
	return count;
}

/* Granules of 2^shift items, the last one perhaps short. */
static uint64_t granules_of(uint64_t items, uint32_t shift)
{
	return (items >> shift) + ((items & (((uint64_t)1 << shift) - 1u)) != 0 ? 1u : 0u);
}

/* The smallest granule with which the set fits into `wir`. */
static uint32_t choose_shift(uint64_t items)
{
	uint32_t shift = 0;

	while (granules_of(items, shift) > WORK_GRANULES_MOST) {
		shift++;
	}
	return shift;
}

static enum gg_status check(const struct work_entry *entry, const struct work_order *order,
			    uint32_t sms)
{
	const uint64_t most = (uint64_t)1 << 63;

	if (entry->state != WORK_FREE) {
		return GG_ERR_BUSY;
	}
	if (order->items == 0) {
		return GG_ERR_GRID_ZERO;
	}
	if (order->items >= most || order->first > most - order->items) {
		return GG_ERR_GRID_OVERFLOW;
	}
	return sms != 0 ? GG_OK : GG_ERR_AFFINITY;
}

enum gg_status work_place(struct work_entry *entry, const struct work_order *order,
			  struct work_seen *seen)
{
	const uint32_t sms = count_sms(order), shift = choose_shift(order->items);
	const uint32_t granules = (uint32_t)granules_of(order->items, shift);
	struct chunk_policy policy = order->policy;
	enum gg_status status = check(entry, order, sms);

	if (status == GG_OK) {
		status = chunk_settle(&policy, granules, shift, sms);
	}
	if (status != GG_OK) {
		return status;
	}
	entry->plan = (struct work_plan){
		.id = order->id,
		.first_low = (uint32_t)order->first,
		.first_high = (uint32_t)(order->first >> 32),
		.items_low = (uint32_t)order->items,
		.items_high = (uint32_t)(order->items >> 32),
		.granules = granules,
		.shift = shift,
		.sms = sms,
		.groups = order->groups,
		.policy = policy,
	};
	entry->wir = granules;
	seen->left = sms;
	for (uint32_t at = 0; at < order->words; at++) {
		entry->approved[at] = order->approved[at];
		seen->missing[at] = order->approved[at];
	}
	entry->state = WORK_PLACED;
	return GG_OK;
}

void work_open(struct work_entry *entry)
{
	if (entry->state == WORK_PLACED) {
		atomic_store(&entry->state, WORK_OPEN);
	}
}

static bool has_sm(const uint32_t *sms, uint32_t sm)
{
	return (sms[sm / 32u] >> sm % 32u & 1u) != 0;
}

bool work_approved(const struct work_entry *entry, uint32_t sm)
{
	return atomic_load(&entry->state) >= WORK_OPEN && has_sm(entry->approved, sm);
}

uint32_t work_remaining(const struct work_entry *entry)
{
	const uint32_t wir = atomic_load(&entry->wir);

	return wir <= WORK_GRANULES_MOST ? wir : 0;
}

void work_locate(const struct work_plan *plan, uint32_t first, uint32_t granules,
		 struct work_grant *grant)
{
	const uint64_t all = join(plan->items_low, plan->items_high);
	const uint64_t skipped = (uint64_t)first << plan->shift;
	const uint64_t items = (uint64_t)granules << plan->shift;

	grant->id = plan->id;
	grant->granules = granules;
	grant->first = join(plan->first_low, plan->first_high) + skipped;
	grant->items = items < all - skipped ? items : all - skipped;
}

/* Subtract, after a positive value was seen. */
static enum work_result subtract(struct work_entry *entry, uint32_t want, struct work_grant *grant)
{
	const uint32_t old = atomic_add(&entry->wir, 0u - want);

	/* The value was zero or negative: other SMs were faster. */
	if (old - 1u >= WORK_GRANULES_MOST) {
		return WORK_EMPTY;
	}
	work_locate(&entry->plan, entry->plan.granules - old, want < old ? want : old, grant);
	grant->before = old;
	return WORK_GRANTED;
}

/* Whether there is something for an SM. */
static enum work_result look(const struct work_entry *entry, uint32_t sm, uint32_t *remaining)
{
	const uint32_t state = atomic_load(&entry->state);

	if (state < WORK_OPEN || !has_sm(entry->approved, sm)) {
		return WORK_NOT_APPROVED;
	}
	*remaining = state == WORK_OPEN ? work_remaining(entry) : 0;
	return *remaining != 0 ? WORK_GRANTED : WORK_EMPTY;
}

enum work_result work_take(struct work_entry *entry, uint32_t sm, uint32_t want,
			   struct work_grant *grant)
{
	uint32_t remaining;
	const enum work_result result = look(entry, sm, &remaining);

	return result == WORK_GRANTED ? subtract(entry, want, grant) : result;
}

enum work_result work_pull(struct work_entry *entry, uint32_t sm, uint32_t wish,
			   const struct chunk_history *history, struct work_grant *grant)
{
	const struct work_plan *plan = &entry->plan;
	uint32_t remaining;
	const enum work_result result = look(entry, sm, &remaining);

	if (result != WORK_GRANTED) {
		return result;
	}
	return subtract(entry, chunk_size(&plan->policy, history, wish, remaining, plan->sms),
			grant);
}

void work_stop(struct work_entry *entry)
{
	if (entry->state == WORK_OPEN) {
		atomic_store(&entry->state, WORK_STOPPED);
	}
}

uint64_t work_rest(const struct work_entry *entry, uint64_t *first)
{
	const uint32_t left = work_remaining(entry);
	struct work_grant rest;

	if (left == 0) {
		return 0;
	}
	work_locate(&entry->plan, entry->plan.granules - left, left, &rest);
	*first = rest.first;
	return rest.items;
}

bool work_mark(struct work_seen *seen, uint32_t sm)
{
	const uint32_t bit = 1u << sm % 32u;

	if ((seen->missing[sm / 32u] & bit) != 0) {
		seen->missing[sm / 32u] &= ~bit;
		seen->left--;
	}
	return seen->left == 0;
}

bool work_free(struct work_entry *entry, const struct work_seen *seen)
{
	if (seen->left != 0) {
		return false;
	}
	atomic_store(&entry->state, WORK_FREE);
	return true;
}
