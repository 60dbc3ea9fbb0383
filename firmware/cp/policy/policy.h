/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Policies: how the SM for the next CTA is chosen (S0-R31, S0-R32). A policy is one file of this folder, and
 * one row of the table in schedule/issue.c, which says for which mode of a TMD it is.
 */
#ifndef FIRMWARE_CP_POLICY_POLICY_H
#define FIRMWARE_CP_POLICY_POLICY_H

#include <stdbool.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task/task.h"

/** A policy. */
struct policy {
	void (*init)(void); /**< Forget what was issued; NULL for nothing to forget. */
	/** Issue as many CTAs of a task as SMs can take now.
	 * @param ctas  At most so many; 1 to the task's CTAs left.
	 * @param sms   Only on these SMs: a bitmap by number; NULL for all. */
	void (*issue)(struct task *task, uint64_t ctas, const uint32_t *sms);
};

extern const struct policy policy_balance;     /**< The SM with most free slots (S0-R31). */
extern const struct policy policy_round_robin; /**< The next SM in turn (S0-R32). */

#endif /* FIRMWARE_CP_POLICY_POLICY_H */
