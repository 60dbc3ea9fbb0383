/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The parts of a TMD that few tasks use: queue, affinity, throttle and quota, and what a kernel may
 * name when it launches a task. Each checks its part of the copy, and fills in the task's form of it.
 */
#ifndef FIRMWARE_CP_ACCEPT_TMD_EXTRA_H
#define FIRMWARE_CP_ACCEPT_TMD_EXTRA_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** Queue words: those of a queue task (S0-R05, S0-R06); else they must be zero. */
bool tmd_check_queue(struct task *task);

/** Sequence flag (S0-R23), throttle flag (S0-R22; not with CGAs), launch quota (S0-R24). */
bool tmd_check_order(struct task *task);

/** Affinity by SM and by GPC (S0-R25): at least one SM is left. */
bool tmd_check_affinity(struct task *task);

/** A kernel's child reaches no further than its parent (S0-R07). */
bool tmd_check_context(struct task *task);

#endif /* FIRMWARE_CP_ACCEPT_TMD_EXTRA_H */
