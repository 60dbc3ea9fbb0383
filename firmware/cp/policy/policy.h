/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Policies: how the SM for the next CTA is chosen (S0-R31, S0-R32), and which task is next where that is not the oldest
 * of the best priority (S0-R26). To add one, write one file of this folder that defines a constant `policy_NAME`. A board
 * takes it with CP_POLICY in the place of round robin, or with CP_ORDER if it chooses tasks (base/limits.h), or a row of the
 * table in schedule/issue.c gives it a mode of its own. An image has only the policies that its board takes.
 * docs/POLICIES.md says how to try one.
 */
#ifndef FIRMWARE_CP_POLICY_POLICY_H
#define FIRMWARE_CP_POLICY_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task/task.h"

/** A policy that chooses SMs. Its functions are called by schedule/issue.c. */
struct policy {
	void (*init)(void); /**< Reset its state; NULL when it has none. */
	/** Issue as many CTAs of a task as SMs can take now.
	 * @param ctas  Most CTAs to issue: 1 to the task's CTAs left.
	 * @param sms   SMs that may be used, a bitmap by number; NULL for all. */
	void (*issue)(struct task *task, uint64_t ctas, const uint32_t *sms);
};

/** A policy that chooses tasks, of all modes. NULL for a function leaves the order that S0-R26 says. */
struct policy_order {
	/** Choose which ready task is issued CTAs next. It gets all that it can get, unless the function calls
	 * offer_at_most(): then a new walk begins after so many. In a walk, each task is chosen once.
	 * @param tasks  The ready tasks, by priority and then by age.
	 * @param count  1 to CP_SLOTS.
	 * @return       The index of one. */
	uint32_t (*next)(struct task *const *tasks, uint32_t count);
	/** Choose which pending task gets a slot of the task table that is free.
	 * @param tasks  The first tasks of the best priority that has some, in their order.
	 * @param count  1 to CP_SLOTS.
	 * @return       The index of one. */
	uint32_t (*seat)(struct task *const *tasks, uint32_t count);
};

extern const struct policy policy_balance;     /**< The SM with the most free slots (S0-R31). */
extern const struct policy policy_round_robin; /**< The next SM in turn (S0-R32). */
extern const struct policy
	CP_POLICY; /**< That one, or what the board or the laboratory has instead. */
extern const struct policy_order policy_by_age; /**< S0-R26; both functions are NULL. */
extern const struct policy_order
	CP_ORDER; /**< That one, or what the board or the laboratory has instead. */

/** Whether the next ready task is chosen by CP_ORDER. Where that is not so, it is known at compile time. */
static inline bool policy_has_next(void)
{
	return CP_CHOICE != 0 && CP_ORDER.next != NULL;
}

/** Whether the next pending task is chosen by CP_ORDER. */
static inline bool policy_has_seat(void)
{
	return CP_CHOICE != 0 && CP_ORDER.seat != NULL;
}

#endif /* FIRMWARE_CP_POLICY_POLICY_H */
