/* SPDX-License-Identifier: Apache-2.0 */
/* Round robin: each CTA goes to the numerically next SM that can take it, after the SM that got the last one
 * (S0-R32). Each packet has one CTA, since the turn passes on after each. */
#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/sms/sm_class.h"

static uint32_t last_sm; /* SM that got the last CTA of any task */

static void round_robin_init(void)
{
	last_sm = device.sms_count - 1; /* so the first turn is SM 0's */
}

static void round_robin_issue(struct task *task, uint64_t ctas, const uint32_t *sms)
{
	while (ctas != 0 && sm_class_next(&task->rules.needs, sms, last_sm, &last_sm)) {
		launch_ctas(last_sm, task, 1);
		ctas--;
	}
}

const struct policy policy_round_robin = { .init = round_robin_init, .issue = round_robin_issue };
