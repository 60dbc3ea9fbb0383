/* SPDX-License-Identifier: Apache-2.0 */
/* Lottery: the task of each CTA is drawn. A task of priority 1 has ten tickets, one of priority 10 has one, and its chance is its
 * share of the tickets of all ready tasks. So a low priority gets less, and not nothing. Which tasks are in the task table,
 * and which must leave it, is decided by priority as always.
 *
 * The random numbers are the same ones after each boot (xorshift32, by G. Marsaglia). */
#include <assert.h>

#include "firmware/cp/policy/policy.h"
#include "firmware/cp/sms/offer.h"

#define SEED 2463534242u

static uint32_t number = SEED; /* the last random number; never 0 */
static uint32_t winner;        /* serial of the task that was drawn last; 0: none */
static uint64_t winner_left;   /* CTAs that it had left */

static uint32_t tickets(const struct task *task)
{
	return CP_PRIORITIES + 1 - task->rules.priority;
}

/* Below 320 tickets, the remainder makes none of them noticeably better. */
static uint32_t draw(uint32_t below)
{
	number ^= number << 13;
	number ^= number >> 17;
	number ^= number << 5;
	assert(below != 0);
	return number % below;
}

/* A winner that did not get its CTA, for lack of room, wins again. Otherwise those that need little would take all room. */
static uint32_t lottery(struct task *const *tasks, uint32_t count)
{
	uint32_t all = 0;
	uint32_t index = 0;

	offer_at_most(1);
	for (uint32_t each = 0; each < count; each++) {
		if (tasks[each]->serial == winner && tasks[each]->work.left == winner_left) {
			return each;
		}
		all += tickets(tasks[each]);
	}
	for (uint32_t ticket = draw(all); ticket >= tickets(tasks[index]); index++) {
		ticket -= tickets(tasks[index]);
	}
	winner = tasks[index]->serial;
	winner_left = tasks[index]->work.left;
	return index;
}

const struct policy_order policy_lottery = { .next = lottery };
