/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/launch/launch_park.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/sms/offer.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/retry.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/work.h"
#include "hal/mmio.h"

bool launch_park_on;
uint32_t launch_park_page;

static struct launch_parked parked[CP_SMS][LAUNCH_PARKS];

void launch_park_init(void)
{
	memset(parked, 0, sizeof(parked));
	launch_park_on = false;
	launch_park_page = 0;
}

bool launch_park_may(const struct task *task)
{
	return part_is_here(GG_FEATURE_PARKS) && launch_park_on && !task_is_pull(task) &&
	       !task_has_cgas(task) && task_queue(task) == NULL && !retry_is_on(task) &&
	       !task->rules.throttle && !task_has_failed(task);
}

static bool is_of(const struct launch_parked *entry, const struct task *task)
{
	return entry->task == task && entry->serial == task->serial;
}

/* Whether a place is taken: by CTAs that are parked, or by some that the SM is asked to park and still has. */
static bool is_taken(uint32_t sm, const struct launch_parked *entry)
{
	const struct task *task = entry->task;

	return entry->serial != 0 && is_of(entry, task) && !task_has_failed(task) &&
	       (entry->starts != 0 || (task->turn.slot != TASK_NO_SLOT &&
				       (entry->asked & launch_starts(sm, task->turn.slot)) != 0));
}

struct launch_parked *launch_park_at(uint32_t sm, uint32_t place)
{
	struct launch_parked *entry = &parked[sm][place];

	return entry->starts != 0 && is_taken(sm, entry) ? entry : NULL;
}

bool launch_park_look(void)
{
	bool any = false;

	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		for (uint32_t place = 0; place < LAUNCH_PARKS; place++) {
			any = any || launch_park_at(sm, place) != NULL;
		}
	}
	due_note(DUE_PARKED, any);
	return any;
}

bool launch_park_has(uint32_t sm, const struct task *task)
{
	bool any = false;

	for (uint32_t place = 0; place < LAUNCH_PARKS; place++) {
		const struct launch_parked *entry = launch_park_at(sm, place);

		any = any || (entry != NULL && entry->task == task);
	}
	return any;
}

/* The place of a task, or a free one; NULL: there is none. */
static struct launch_parked *find_place(uint32_t sm, const struct task *task)
{
	struct launch_parked *place = NULL;

	for (struct launch_parked *entry = parked[sm]; entry != parked[sm] + LAUNCH_PARKS;
	     entry++) {
		if (is_of(entry, task) || (place == NULL && !is_taken(sm, entry))) {
			place = entry;
		}
	}
	return place;
}

/* Where the SM keeps the CTAs of a place. */
static uint64_t area_of(const struct launch_parked *entry)
{
	return ((uint64_t)launch_park_page << 12) +
	       (uint64_t)(entry - parked[0]) * device.cap->sm_area_bytes;
}

/* Whether an SM's ring has room for a packet besides those that it may yet get, each of which takes a CTA slot. If it has seen
 * all packets it has, because the CTAs that are to be parked have a slot. */
static bool has_room(uint32_t sm)
{
	const uint32_t unseen = launch_written[sm] - mmio_read32(&device.sms[sm].launch_get);

	return unseen == 0 || unseen + device.resources.ctas < CP_LAUNCH_ENTRIES;
}

bool launch_park_ask(uint32_t sm, struct task *task)
{
	const uint32_t starts = launch_starts(sm, task->turn.slot);
	struct launch_parked *place = find_place(sm, task);

	if (place == NULL || starts == 0 || !has_room(sm)) {
		return false;
	}
	if (!is_of(place, task)) {
		place->task = task;
		place->serial = task->serial;
		place->starts = 0;
	}
	place->asked = starts;
	launch_special(sm, task, starts, area_of(place), GG_PACKET_PARK_SAVE);
	return true;
}

/* The SM was asked, and has had the CTAs until now, so there is a place of the task. */
void launch_park_take(uint32_t sm, struct task *task, uint32_t starts)
{
	const uint32_t ctas = bits_count(starts);
	struct launch_parked *entry = parked[sm];

	while (!is_of(entry, task)) {
		entry++;
		assert(entry != parked[sm] + LAUNCH_PARKS);
	}
	entry->starts |= starts;
	task_work_park(task, ctas);
	device.perf->ctas_parked += ctas;
	due_note(DUE_PARKED, true);
}

void launch_park_restore(uint32_t sm, struct launch_parked *entry)
{
	struct task *task = entry->task;

	for (uint32_t left = entry->starts; left != 0; left &= left - 1) {
		const uint32_t start = bits_isolate(left);

		if (sm_state_retake(sm, task, start)) {
			entry->starts &= ~start;
			task_work_unpark(task, 1);
			launch_special(sm, task, start, area_of(entry), GG_PACKET_PARK_RESTORE);
		}
	}
	task_table_show(task);
}

static bool comes_first(const struct task *before, const struct task *task)
{
	return before->rules.priority < task->rules.priority
		       ? !before->life.suspended
		       : before->rules.priority == task->rules.priority &&
				 before->turn.slot != TASK_NO_SLOT;
}

/* While throttle mode is on, CTAs of other tasks cannot come back. */
void launch_park_claim(const struct task *task)
{
	uint32_t sms[CP_SM_WORDS] = { 0 };

	if (task->rules.throttle) {
		return;
	}
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		for (uint32_t place = 0; place < LAUNCH_PARKS; place++) {
			const struct launch_parked *entry = launch_park_at(sm, place);

			if (entry != NULL && comes_first(entry->task, task)) {
				bits_set(sms, sm);
			}
		}
	}
	(void)offer_claim_sms(sms);
}
