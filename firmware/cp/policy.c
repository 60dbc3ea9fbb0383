/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/policy.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/cp/pull.h"

#define MODES 16u /* values of the TMD's field */

static const struct policy *const policies[MODES] = {
	[GG_TASK_MODE_LOAD_BALANCING] = &policy_balance,
	[GG_TASK_MODE_ROUND_ROBIN] = &policy_round_robin,
	[GG_TASK_MODE_PULL] = &policy_pull,
};

void policy_init(void)
{
	for (uint32_t mode = 0; mode < MODES; mode++) {
		if (policies[mode] != NULL && policies[mode]->init != NULL) {
			policies[mode]->init();
		}
	}
}

bool policy_exists(enum gg_task_mode mode)
{
	return (uint32_t)mode < MODES && policies[mode] != NULL;
}

void policy_issue(enum gg_task_mode mode, struct task *task, uint64_t ctas, const uint32_t *sms)
{
	assert(policy_exists(mode));
	policies[mode]->issue(task, ctas, sms);
}
