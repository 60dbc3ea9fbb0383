/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The parts of a TMD that few tasks use: queue, order, affinity, and what a kernel may name when it launches a task.
 * Each function checks its part of the copy and fills in the task's rules for it. It returns false when it refuses the
 * TMD, with task->failure set.
 */
#ifndef FIRMWARE_CP_ACCEPT_TMD_EXTRA_H
#define FIRMWARE_CP_ACCEPT_TMD_EXTRA_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** Check the queue words of a queue task (S0-R05, S0-R06); those of other tasks must be zero. */
bool tmd_check_queue(struct task *task);

/** Check the sequence flag (S0-R23), the throttle flag (S0-R22; not with CGAs) and the launch quota (S0-R24). */
bool tmd_check_order(struct task *task);

/** Check the affinity masks of SMs and GPCs (S0-R25), which must leave at least one SM. */
bool tmd_check_affinity(struct task *task);

/** Check that a TMD that a kernel chose has the context and the heap of its parent, and names no memory outside that
 * heap (S0-R07). */
bool tmd_check_context(struct task *task);

#endif /* FIRMWARE_CP_ACCEPT_TMD_EXTRA_H */
