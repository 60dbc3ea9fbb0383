/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Acceptance of tasks: those of the host's channels, and the children that kernels launch (S0-R07).
 */
#ifndef FIRMWARE_CP_SUBMIT_H
#define FIRMWARE_CP_SUBMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task.h"

/** Places of the task pool that only children may have, so that a kernel finds one. */
#define SUBMIT_RESERVE 64u

/** Whether any task of the host's would find room. */
bool submit_has_room(void);

/** Accept the TMD as a task, or refuse it whole.
 * @param task  From the pool, with what is known of its command.
 * @return      false, with task->failure set, when it is refused; the task is the caller's then. */
bool submit(struct task *task, struct task_name name);

/** Accept the TMD as a child of a task; the host is not told of it.
 * @param trusted  The host, not a kernel, chose the TMD.
 * @return         GG_OK, or why it is refused. */
struct refusal submit_child(struct task *parent, struct task_name name, bool trusted);

#endif /* FIRMWARE_CP_SUBMIT_H */
