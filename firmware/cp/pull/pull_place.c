/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/pull/pull_place.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/pull/pull_slot.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "hal/atomic.h"

#define LEFT_MASK  ((1u << LOCAL_LEFT_BITS) - 1u)
#define KIND_SHIFT 12u /* position of the kind in local_queue.state */
#define LOCAL_RANGES \
	2u /* Ranges that a local queue may leave: the rest of the portion in use, and the next portion. */
#define PER_MILLE 1000u

static struct pull_settings settings;
static uint32_t enabled[WORK_SM_WORDS]; /* enabled SMs, by number */
static uint32_t enabled_version;        /* sm_state_version() of then, and 1; 0: not known yet */

void pull_place_init(void)
{
	settings = (struct pull_settings){ 0 };
	enabled_version = 0;
}

void pull_place_set(const struct pull_settings *wanted)
{
	settings = *wanted;
}

/* The time that an adaptive chunk should take, in ticks; 0: any time. */
static uint32_t target_ticks(void)
{
	if (settings.chunk_us == 0) {
		return 0;
	}
	const uint32_t ticks = device_ticks(settings.chunk_us);

	return ticks != 0 ? ticks : 1;
}

static __attribute__((cold, noinline)) void find_enabled(void)
{
	enabled_version = sm_state_version() + 1;
	for (uint32_t word = 0; word < WORK_SM_WORDS; word++) {
		enabled[word] = 0;
	}
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		if (sm_state_enabled(sm)) {
			bits_set(enabled, sm);
		}
	}
}

/* The enabled SMs that a task may use, a bitmap by number that is valid until the next call. */
static const uint32_t *find_sms(const struct task *task)
{
	static uint32_t allowed[WORK_SM_WORDS];

	if (enabled_version != sm_state_version() + 1) {
		find_enabled();
	}
	if (!task->rules.restricted) {
		return enabled;
	}
	for (uint32_t word = 0; word < device.sm_words; word++) {
		allowed[word] = enabled[word] & task->allowed[word];
	}
	return allowed;
}

bool pull_place_is_near(void)
{
	return settings.far_ticks == 0;
}

/* The GPCs of these SMs that are far, a bit each; `near` says whether there are others. */
static uint32_t find_far(const uint32_t *sms, bool *near)
{
	uint32_t far = 0;

	if (pull_place_is_near()) {
		return 0; /* and `near` is true */
	}
	*near = false;
	for (uint32_t sm = 0; bits_next(sms, device.sm_words, &sm); sm++) {
		const uint32_t gpc = sm_state_gpc(sm);

		if (chunk_is_far(settings.latency[gpc], settings.far_ticks)) {
			far |= 1u << gpc;
		} else {
			*near = true;
		}
	}
	return far;
}

static void open_local(const struct work_entry *entry, uint32_t gpc, uint32_t slot)
{
	const struct work_plan *plan = &entry->plan;
	uint32_t group[WORK_SM_WORDS] = { 0 };
	uint32_t members = 0;

	for (uint32_t sm = 0; bits_next(entry->approved, device.sm_words, &sm); sm++) {
		if (sm_state_gpc(sm) == gpc) {
			bits_set(group, sm);
			members++;
		}
	}
	const uint32_t portion = chunk_portion(&plan->policy, NULL, plan->granules, plan->sms,
					       plan->groups, members);

	local_open(pull_local(gpc, slot), entry, group,
		   (uint32_t)((uint64_t)portion * settings.local_low / PER_MILLE));
}

/* A task of which only given-back ranges are left gets an entry, too, because the entry says which SMs may go on. */
void pull_place(struct task *task, struct pull_slot *slot)
{
	struct work_entry *entry = pull_entry(task->turn.slot);
	const uint64_t rest = task->work.left - task->back.ctas;
	const uint32_t *sms = find_sms(task);
	bool near = true;

	slot->far = rest != 0 ? find_far(sms, &near) : 0;

	const struct work_order order = {
		.id = task_table_name(task),
		.first = rest != 0 ? task->work.position : task->work.position - 1,
		.items = rest != 0 ? rest : 1,
		.groups = bits_count(slot->far) + (slot->far != 0 && !near ? 0 : 1u),
		.policy = { .fixed = task->tmd.chunk,
			    .most = RANGE_MOST,
			    .target_ticks = target_ticks() },
		.approved = sms,
		.words = device.sm_words,
	};
	const enum gg_status status = work_place(entry, &order, &slot->seen);

	assert(status ==
	       GG_OK); /* the TMD was checked, and the entry of a free slot is free (S4-V11) */
	(void)status;
	if (rest == 0) {
		entry->wir = 0;
	}
	for (uint32_t far = slot->far; far != 0; far &= far - 1) {
		if (range_reserve(LOCAL_RANGES)) {
			open_local(entry, bits_lowest(far), task->turn.slot);
		} else {
			slot->far &= ~(far & (~far + 1u)); /* its SMs take from the entry instead */
		}
	}
	work_open(entry);
}

/* Whether any SM of the local queue still has streams. The queue's own list of SMs is used, since CONFIG may have
 * changed the GPCs meanwhile. */
static bool any_pulls(const struct local_queue *queue, const uint32_t *pulling)
{
	uint32_t any = 0;

	for (uint32_t word = 0; word < CP_SM_WORDS; word++) {
		any |= queue->approved[word] & pulling[word];
	}
	return any != 0;
}

static bool give_back(struct task *task, const struct local_queue *queue, uint32_t first,
		      uint32_t granules)
{
	struct work_grant grant;
	bool kept = true;

	if (granules != 0) {
		work_locate(&queue->plan, first, granules, &grant);
		const struct task_range items = { .first = grant.first, .count = grant.items };

		kept = range_add(task, &items);
	}
	return kept;
}

/* Takes the rest of a local queue. No SM pulls from it, so the CP may do in several steps what SMs do in one. A
 * portion that is being fetched belongs to an SM that was lost (sm_lost.h). */
static void collect(struct task *task, struct local_queue *queue)
{
	const uint32_t word = queue->word, number = word >> LOCAL_LEFT_BITS;
	const uint32_t left = word & LEFT_MASK, place = number % 2u;
	const uint32_t next = (number + 1) % LOCAL_NUMBERS;

	bool kept =
		give_back(task, queue, queue->first[place] + (queue->count[place] - left), left);

	if (queue->state == ((uint32_t)LOCAL_STAGED << KIND_SHIFT | next)) {
		kept = give_back(task, queue, queue->first[next % 2u], queue->count[next % 2u]) &&
		       kept;
	}
	assert(kept); /* places were kept in reserve for them */
	(void)kept;
	if (queue->state != ((uint32_t)LOCAL_EMPTY << KIND_SHIFT | next)) {
		queue->state = (uint32_t)LOCAL_STAGED << KIND_SHIFT | number;
	}
	atomic_store(&queue->word, number << LOCAL_LEFT_BITS);
}

void pull_place_gone(struct task *task, uint32_t sm)
{
	struct pull_slot *slot = pull_slot(task->turn.slot);

	for (uint32_t far = slot->far; far != 0; far &= far - 1) {
		const uint32_t gpc = bits_lowest(far);
		struct local_queue *queue = pull_local(gpc, task->turn.slot);

		if (bits_has(queue->approved, sm) && !any_pulls(queue, slot->pulling)) {
			range_unreserve(LOCAL_RANGES);
			collect(task, queue);
			if (!range_reserve(LOCAL_RANGES)) {
				local_close(queue);
				slot->far &= ~(1u << gpc);
			}
		}
	}
}

void pull_place_stop(uint32_t slot)
{
	for (uint32_t far = pull_slot(slot)->far; far != 0; far &= far - 1) {
		local_stop(pull_local(bits_lowest(far), slot));
	}
}

void pull_place_close(uint32_t slot)
{
	for (uint32_t far = pull_slot(slot)->far; far != 0; far &= far - 1) {
		local_close(pull_local(bits_lowest(far), slot));
		range_unreserve(LOCAL_RANGES);
	}
}
