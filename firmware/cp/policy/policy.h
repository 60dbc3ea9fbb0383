/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Policies: how the SM for the next CTA is chosen (S0-R31, S0-R32). To add one, write one file of this folder that
 * defines a constant `policy_NAME`. A board takes it with CP_POLICY (base/limits.h) in the place of round robin, or a row of
 * the table in schedule/issue.c gives it a mode of its own. docs/POLICIES.md says how to try it.
 */
#ifndef FIRMWARE_CP_POLICY_POLICY_H
#define FIRMWARE_CP_POLICY_POLICY_H

#include <stdbool.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task/task.h"

/** A policy. Its functions are called by schedule/issue.c. */
struct policy {
	void (*init)(void); /**< Reset its state; NULL when it has none. */
	/** Issue as many CTAs of a task as SMs can take now.
	 * @param ctas  Most CTAs to issue: 1 to the task's CTAs left.
	 * @param sms   SMs that may be used, a bitmap by number; NULL for all. */
	void (*issue)(struct task *task, uint64_t ctas, const uint32_t *sms);
};

extern const struct policy policy_balance;     /**< The SM with the most free slots (S0-R31). */
extern const struct policy policy_round_robin; /**< The next SM in turn (S0-R32). */
extern const struct policy
	CP_POLICY; /**< That one, or what the board or the laboratory has instead. */

#endif /* FIRMWARE_CP_POLICY_POLICY_H */
