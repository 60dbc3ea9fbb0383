/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Acceptance of tasks: those of the host's channels, and the children that kernels launch (S0-R07).
 */
#ifndef FIRMWARE_CP_ACCEPT_SUBMIT_H
#define FIRMWARE_CP_ACCEPT_SUBMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/limits.h"
#include "firmware/cp/task/task.h"

/** Places of the task pool that only children may have, so that a kernel finds one. */
#define SUBMIT_RESERVE CP_RESERVE

/** Whether any task of the host's would find room. */
bool submit_has_room(void);

/** Accept the TMD as a task, or refuse it whole.
 * @param task  From the pool, with what is known of its command.
 * @return      false, with task->failure set, when it is refused; the task is the caller's then. */
bool submit(struct task *task, struct task_name name);

/** Accept the TMD in `task->tmd` as a command of a graph's pass: a child of the GRAPH task.
 * @param task   From the pool, with its pass.
 * @param first  First CTA, when only a part of the grid is to be run.
 * @param ctas   CTAs of the part; 0: all of the grid.
 * @return       false, with task->failure set, when it is refused; the task is the caller's then. */
bool submit_pass(struct task *parent, struct task *task, uint64_t first, uint64_t ctas);

/** Accept the TMD as a child of a task; the host is not told of it.
 * @param trusted  The host, not a kernel, chose the TMD.
 * @return         GG_OK, or why it is refused. */
struct refusal submit_child(struct task *parent, struct task_name name, bool trusted);

#endif /* FIRMWARE_CP_ACCEPT_SUBMIT_H */
