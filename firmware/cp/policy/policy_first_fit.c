/* SPDX-License-Identifier: Apache-2.0 */
/* First fit: every CTA goes to the first SM of the SM priority list that has room for it. An SM is filled before the next
 * one gets anything, so a small load leaves the SMs at the end of the list asleep. */
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/sms/sm_class.h"
#include "firmware/cp/sms/sm_state.h"

static void first_fit_issue(struct task *task, uint64_t ctas, const uint32_t *sms)
{
	const struct availability *levels = sm_class_levels(&task->rules.needs, sms);

	for (uint32_t word = 0; word < device.sm_words; word++) {
		uint32_t ranks = availability_at_least(levels, 1, word);

		for (; ranks != 0 && ctas != 0; ranks &= ranks - 1) {
			const uint32_t rank = word * 32 + bits_lowest(ranks);
			const uint32_t room = levels->level[rank];
			const uint32_t some = ctas < room ? (uint32_t)ctas : room;

			launch_ctas(sm_state_sm(rank), task, some);
			ctas -= some;
		}
	}
}

const struct policy policy_first_fit = { .issue = first_fit_issue };
