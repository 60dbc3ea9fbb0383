/* SPDX-License-Identifier: Apache-2.0 */
/* Round robin: the numerically next SM that can take a CTA, after the last one issued to
 * (S0-R32). One CTA a packet: that is what turns mean. */
#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/sms/sm_class.h"

static uint32_t last_sm; /* last SM issued to, for all tasks */

static void round_robin_init(void)
{
	last_sm = device.sms_count - 1; /* the first turn is SM 0's */
}

static void round_robin_issue(struct task *task, uint64_t ctas, const uint32_t *sms)
{
	while (ctas != 0 && sm_class_next(&task->rules.needs, sms, last_sm, &last_sm)) {
		launch_ctas(last_sm, task, 1);
		ctas--;
	}
}

const struct policy policy_round_robin = { .init = round_robin_init, .issue = round_robin_issue };
