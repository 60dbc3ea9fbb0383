/* SPDX-License-Identifier: Apache-2.0 */
/* Best fit: every CTA goes to the SM on which it leaves the least room, which is the one with the fewest free slots for the
 * task; among equals, to the first in the SM priority list. SMs that are empty stay so for tasks that need a whole one. */
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/sms/sm_class.h"
#include "firmware/cp/sms/sm_state.h"

/* A CTA makes the SM with the least room have even less: it is the best one until it is full. */
static uint64_t fill_level(struct task *task, uint64_t ctas, const struct availability *levels,
			   uint32_t level)
{
	for (uint32_t word = 0; word < device.sm_words; word++) {
		uint32_t ranks = levels->sms[level][word];

		for (; ranks != 0 && ctas != 0; ranks &= ranks - 1) {
			const uint32_t some = ctas < level ? (uint32_t)ctas : level;

			launch_ctas(sm_state_sm(word * 32 + bits_lowest(ranks)), task, some);
			ctas -= some;
		}
	}
	return ctas;
}

static void best_fit_issue(struct task *task, uint64_t ctas, const uint32_t *sms)
{
	const struct availability *levels = sm_class_levels(&task->rules.needs, sms);

	for (uint32_t filled = levels->filled; filled != 0 && ctas != 0; filled &= filled - 1) {
		ctas = fill_level(task, ctas, levels, bits_lowest(filled));
	}
}

const struct policy policy_best_fit = { .issue = best_fit_issue };
