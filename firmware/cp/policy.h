/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Policies: how the SM for the next CTA is chosen (S0-R31, S0-R32). A policy is one file and one
 * row of the table in policy.c.
 */
#ifndef FIRMWARE_CP_POLICY_H
#define FIRMWARE_CP_POLICY_H

#include <stdbool.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task.h"

/** A policy. */
struct policy {
	void (*init)(void); /**< Forget what was issued; NULL for nothing to forget. */
	/** Issue as many CTAs of a task as SMs can take now; see policy_issue(). */
	void (*issue)(struct task *task, uint64_t ctas, const uint32_t *sms);
};

extern const struct policy policy_balance;     /**< The SM with most free slots (S0-R31). */
extern const struct policy policy_round_robin; /**< The next SM in turn (S0-R32). */

/** Forget what was issued. */
void policy_init(void);

/** Whether this firmware has a policy for a mode. */
bool policy_exists(enum gg_task_mode mode);

/** Issue as many CTAs of a task as SMs can take now.
 * @param mode  One for which policy_exists().
 * @param ctas  At most so many; 1 to the task's CTAs left.
 * @param sms   Only on these: a bitmap by number; NULL for all. */
void policy_issue(enum gg_task_mode mode, struct task *task, uint64_t ctas, const uint32_t *sms);

#endif /* FIRMWARE_CP_POLICY_H */
