/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Stall reasons: why a task's CTAs are kept back, and for how many turns of the loop for each reason. Turns are
 * added up only when the reason changes, so a waiting task costs nothing.
 */
#ifndef FIRMWARE_CP_TASK_STALL_H
#define FIRMWARE_CP_TASK_STALL_H

#include "firmware/cp/task/task.h"

/** Initialize: no turn so far. */
void stall_init(void);

/** Count a new turn of the loop, also in the PERF block. */
void stall_turn(void);

/** How many turns there were; wraps at 2^32. */
uint32_t stall_turns(void);

/** Set the reason for which a task's CTAs are kept back from now on; GG_REASON_NONE when they are not. */
void stall_set(struct task *task, enum gg_reason reason);

/** Finish the counts of a task that is over, and add them to the counters of the PERF block. */
void stall_close(struct task *task);

/** Clear the counts of a task that has no completion. */
void stall_forget(struct task *task);

#endif /* FIRMWARE_CP_TASK_STALL_H */
