/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/schedule/minimum_share.h"

#include <stddef.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/due.h"

#define SAVED 64u /* most CTAs for which lower priorities can save credit */

static uint32_t share; /* minimum share, in thousandths; 0: off */
static int32_t credit; /* of lower priorities, in thousandths of a CTA; negative after a CGA */
static uint32_t last_served; /* priority that got the last due CTA */
static uint32_t last_guest;  /* priority of the last guest */
static struct task *guest;   /* task in the guest slot, or NULL */
static bool served;          /* the guest has been issued a CTA that was due */

void minimum_share_init(void)
{
	share = 0;
	credit = 0;
	last_served = 0;
	last_guest = 0;
	guest = NULL;
	served = false;
}

void minimum_share_set(uint32_t per_mille)
{
	share = per_mille;
	credit = 0;
	due_note(DUE_SHARE, per_mille != 0);
	if (per_mille == 0) {
		guest = NULL;
	}
}

bool minimum_share_is_on(void)
{
	return share != 0;
}

uint64_t minimum_share_limit(uint32_t lower)
{
	if (share == 0 || lower == 0) {
		return UINT64_MAX;
	}
	const int32_t missing = (int32_t)MINIMUM_SHARE_WHOLE - credit;

	return missing <= 0 ? 0 : ((uint32_t)missing + share - 1) / share;
}

/* Credit is not kept while no task of a lower priority waits. */
void minimum_share_begin(bool waiting)
{
	if (!waiting) {
		credit = 0;
	}
}

/* Lower priorities earn credit also while they cannot be served, because their task is pending or its SM is busy.
 * The credit is bounded, so that they do not take the whole device afterwards. */
void minimum_share_issued(bool waiting, uint64_t ctas)
{
	const int64_t most = SAVED * MINIMUM_SHARE_WHOLE;

	if (share == 0 || !waiting) {
		return;
	}
	const int64_t earned = credit + (int64_t)ctas * share;

	credit = (int32_t)(earned < most ? earned : most);
}

/* A CGA is issued as a whole. If that was more than the credit, the credit becomes negative, and lower priorities
 * have to earn the difference before the next CTA is due. */
void minimum_share_paid(const struct task *task, uint32_t ctas)
{
	credit -= (int32_t)(ctas * (MINIMUM_SHARE_WHOLE - share));
	last_served = task->rules.priority;
	served = served || task == guest;
}

/* The lowest 1 bit of `set` above bit `last`; the lowest of all when there is none above. */
static uint32_t in_rotation(uint32_t set, uint32_t last)
{
	const uint32_t after = set & ~bits_ones(last + 1);

	return bits_lowest(after != 0 ? after : set);
}

uint32_t minimum_share_turn(uint32_t lower)
{
	return in_rotation(lower, last_served);
}

struct task *minimum_share_guest(void)
{
	return guest;
}

uint32_t minimum_share_next_guest(uint32_t lower)
{
	return in_rotation(lower, last_guest);
}

void minimum_share_seat(struct task *task)
{
	guest = task;
	served = false;
	last_guest = task->rules.priority;
}

bool minimum_share_guest_is_served(void)
{
	return served && credit < (int32_t)MINIMUM_SHARE_WHOLE;
}

void minimum_share_left(const struct task *task)
{
	if (task == guest) {
		guest = NULL;
	}
}
