/* SPDX-License-Identifier: Apache-2.0 */
/* Load balancing: every CTA goes to the SM with the most free slots; among equals, to the first in the SM priority
 * list (S0-R31). Many CTAs are placed at once, with one packet for each SM. Each SM gets as many as if the CTAs were
 * placed one at a time (S0-R34, S1-R82…R93). */
#include "firmware/cp/sms/availability.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/sms/sm_class.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/wave/wave.h"
#include "firmware/cp/wave/wave_launch.h"

/* A single CTA needs only one scan of the highest level. */
static void balance_one(struct task *task, const struct availability *levels)
{
	uint32_t rank;

	if (availability_best(levels, &rank)) {
		launch_ctas(sm_state_sm(rank), task, 1);
	}
}

static void balance_rank(struct task *task, const struct availability *levels, uint32_t rank,
			 struct availability_fill *fill)
{
	uint32_t ctas = levels->level[rank] - fill->final;

	if (fill->extra != 0) {
		fill->extra--;
		ctas++;
	}
	if (ctas != 0) {
		launch_ctas(sm_state_sm(rank), task, ctas);
		fill->ctas -= ctas;
	}
}

static void balance_many(struct task *task, uint64_t ctas, const struct availability *levels)
{
	struct availability_fill fill = availability_pour(levels, ctas);

	if (wave_is_here() && fill.ctas != 0 && wave_launch(task, levels, &fill, 0) != NULL) {
		return;
	}
	for (uint32_t word = 0; fill.ctas != 0; word++) {
		uint32_t ranks = availability_at_least(levels, fill.final, word);

		while (ranks != 0 && fill.ctas != 0) {
			balance_rank(task, levels, word * 32 + bits_lowest(ranks), &fill);
			ranks &= ranks - 1;
		}
	}
}

/* Whether the only CTA to issue has gone to an SM that holds nothing, for which no levels are needed. */
static bool balance_idle(struct task *task)
{
	const uint32_t sm =
		due_is(DUE_RANKED) ? SM_STATE_NONE : sm_state_best_idle(&task->rules.needs);

	if (sm == SM_STATE_NONE) {
		return false;
	}
	launch_ctas(sm, task, 1);
	return true;
}

static void balance_issue(struct task *task, uint64_t ctas, const uint32_t *sms)
{
	if (PART_FAST && ctas == 1 && sms == NULL && balance_idle(task)) {
		return;
	}
	const struct availability *levels = sm_class_levels(&task->rules.needs, sms);

	if (ctas == 1) {
		balance_one(task, levels);
	} else {
		balance_many(task, ctas, levels);
	}
}

const struct policy policy_balance = { .issue = balance_issue };
