/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * TMDs: copy first, then check the copy, whole, before any effect (S0-R01…R04).
 *
 * The host can change a TMD while it is read; so nothing is looked at but the copy. A refusal
 * names the field and its value. A field that asks for what this firmware does not do is refused
 * as unsupported, never ignored.
 */
#ifndef FIRMWARE_CP_ACCEPT_TMD_H
#define FIRMWARE_CP_ACCEPT_TMD_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Copy a TMD into a task and check it; on success the task's form is complete.
 * @return  false, with task->failure set, when the TMD is refused. */
bool tmd_take(struct task *task, struct task_name name);

/** The same for a TMD that is in `task->tmd` already.
 * @return  false, with task->failure set, when it is refused. */
bool tmd_check(struct task *task);

/** The same for a TMD that is in the CP's memory already, as that of a child of a task.
 * @param task  From the pool. */
bool tmd_check_child(struct task *task, struct task *parent, const struct gg_tmd *tmd);

#endif /* FIRMWARE_CP_ACCEPT_TMD_H */
