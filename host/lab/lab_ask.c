/* SPDX-License-Identifier: Apache-2.0 */
/* A policy that asks whoever runs the laboratory: a class in Python, for quick tries. A question is a line of the standard
 * output that begins with "ask", its answer a number in the standard input. `ganger.lab` has made sure that the answer is one
 * of those that are possible; none is -1. What the answer costs is not counted. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/sms/sm_class.h"
#include "firmware/cp/sms/sm_state.h"

static void tell(const struct task *task)
{
	printf(" %u %u %" PRIu64 " %u %u", task->source.tag, task->rules.priority, task->work.left,
	       task->work.in_flight, task->rules.needs.warps);
}

/* Ends the line, and returns the answer: below `below`, or -1 if it may be. */
static int answer(uint32_t below)
{
	int found;

	putchar('\n');
	fflush(stdout);
	if (scanf("%d", &found) != 1 || found < -1 || found >= (int)below) {
		exit(5); /* nobody is there any more */
	}
	return found;
}

static void ask_issue(struct task *task, uint64_t ctas, const uint32_t *sms)
{
	for (; ctas != 0; ctas--) {
		const struct availability *levels = sm_class_levels(&task->rules.needs, sms);

		if (levels->filled == 0) {
			return;
		}
		printf("ask sm");
		tell(task);
		for (uint32_t rank = 0; rank < device.sms_count; rank++) {
			if (levels->level[rank] != 0) {
				printf(" %u %u", sm_state_sm(rank), levels->level[rank]);
			}
		}
		const int sm = answer(device.sms_count);

		if (sm < 0) {
			return;
		}
		launch_ctas((uint32_t)sm, task, 1);
	}
}

static uint32_t ask_next(struct task *const *tasks, uint32_t count)
{
	printf("ask next");
	for (uint32_t index = 0; index < count; index++) {
		tell(tasks[index]);
	}
	const int found = answer(count);

	return found < 0 ? 0 : (uint32_t)found;
}

const struct policy policy_ask = { .issue = ask_issue };
const struct policy_order policy_ask_order = { .next = ask_next };
