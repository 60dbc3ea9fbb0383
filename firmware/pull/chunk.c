/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/pull/chunk.h"

#include <stddef.h>

#define TICK_PARTS  256u /* Parts of a tick in ticks_per_granule. */
#define SMOOTH_LATE 4u   /* A chunk after the first one counts as one part in so many. */

static uint32_t smaller(uint32_t one, uint32_t other)
{
	return one < other ? one : other;
}

static uint32_t larger(uint32_t one, uint32_t other)
{
	return one > other ? one : other;
}

/* value / by, rounded up, without overflow, and with a single division. */
static uint32_t divide_up(uint32_t value, uint32_t by)
{
	const uint32_t whole = value / by;

	return whole + (whole * by != value ? 1u : 0u);
}

static uint32_t in_granules(uint32_t items, uint32_t shift)
{
	const uint32_t whole = shift < 32u ? items >> shift : 0;
	const bool part = shift < 32u ? (items & ((1u << shift) - 1u)) != 0 : items != 0;

	return whole + (part ? 1u : 0u);
}

enum gg_status chunk_settle(struct chunk_policy *policy, uint32_t granules, uint32_t shift,
			    uint32_t sms)
{
	const uint32_t below_all = sms > 1u && granules > 1u ? granules - 1u : granules;
	const uint32_t bound = smaller(below_all, CHUNK_MOST);

	if (policy->most != 0 && policy->most < policy->least) {
		return GG_ERR_ARGUMENT;
	}
	policy->most = policy->most != 0 ? smaller(in_granules(policy->most, shift), bound) : bound;
	policy->least = smaller(larger(in_granules(policy->least, shift), 1u), policy->most);
	policy->fixed = smaller(in_granules(policy->fixed, shift), policy->most);
	return GG_OK;
}

/* Whole multiples of the preset: at least one, and as many as the wish needs. The bound by the largest chunk is
 * rounded down, so that the result stays a multiple. */
static uint32_t preset(const struct chunk_policy *policy, uint32_t wish)
{
	const uint32_t multiple = larger(divide_up(wish, policy->fixed), 1u);

	return policy->fixed * smaller(multiple, policy->most / policy->fixed);
}

/* Granules that an SM does in the target time. */
static uint32_t in_time(const struct chunk_policy *policy, const struct chunk_history *history)
{
	if (policy->target_ticks == 0 || history == NULL || history->ticks_per_granule == 0) {
		return UINT32_MAX;
	}
	/* Divisions of 32 bits only. A long target does not need the parts of a tick. */
	if (policy->target_ticks <= UINT32_MAX / TICK_PARTS) {
		return policy->target_ticks * TICK_PARTS / history->ticks_per_granule;
	}
	return policy->target_ticks / larger(history->ticks_per_granule / TICK_PARTS, 1u);
}

static uint32_t bounded(const struct chunk_policy *policy, uint32_t size)
{
	return smaller(larger(size, policy->least), policy->most);
}

static uint32_t adaptive(const struct chunk_policy *policy, const struct chunk_history *history,
			 uint32_t remaining, uint32_t sms)
{
	const uint32_t even = divide_up(remaining, sms);
	uint32_t size = even / CHUNK_SHARE + (even % CHUNK_SHARE != 0 ? 1u : 0u);

	if (history != NULL && size < history->worth) {
		size = smaller(history->worth, even);
	}
	return bounded(policy, smaller(size, in_time(policy, history)));
}

uint32_t chunk_size(const struct chunk_policy *policy, const struct chunk_history *history,
		    uint32_t wish, uint32_t remaining, uint32_t sms)
{
	if (policy->fixed != 0) {
		return smaller(preset(policy, wish), remaining);
	}
	return smaller(wish != 0 ? bounded(policy, wish)
				 : adaptive(policy, history, remaining, sms),
		       remaining);
}

uint32_t chunk_portion(const struct chunk_policy *policy, const struct chunk_history *history,
		       uint32_t remaining, uint32_t sms, uint32_t groups, uint32_t members)
{
	const uint32_t one = chunk_size(policy, history, 0, remaining, sms);
	const uint32_t wanted = policy->far_factor != 0 ? policy->far_factor : members;
	const uint32_t factor = smaller(wanted, CHUNK_MOST / larger(one, 1u));

	return larger(one, smaller(one * factor, remaining / groups));
}

void chunk_record(struct chunk_history *history, uint32_t granules, uint32_t ticks)
{
	const uint32_t whole = ticks / granules, rest = ticks % granules;
	uint32_t parts = UINT32_MAX;

	if (whole < UINT32_MAX / TICK_PARTS) {
		parts = whole * TICK_PARTS + rest * TICK_PARTS / granules;
	}
	if (history->chunks != 0) {
		const uint32_t before = history->ticks_per_granule;

		parts = before - before / SMOOTH_LATE + parts / SMOOTH_LATE;
	}
	/* 0 stands for "not known". */
	history->ticks_per_granule = larger(parts, 1u);
	history->chunks += history->chunks != UINT32_MAX ? 1u : 0u;
	history->granules += granules;
	history->last_granules = granules;
	history->last_ticks = ticks;
}
