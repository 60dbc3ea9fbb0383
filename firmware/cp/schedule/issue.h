/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Issue of a task's next CTAs on the SMs that are offered to it (method 500: S0-R31, S0-R32): by the task's
 * policy; CGAs by the query model.
 */
#ifndef FIRMWARE_CP_SCHEDULE_ISSUE_H
#define FIRMWARE_CP_SCHEDULE_ISSUE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task/task.h"

/** Load balancing for tasks that leave it to the device. */
void issue_init(void);

/** Mode of tasks that leave it to the device (S0-R33). */
void issue_set_mode(enum gg_task_mode mode);

/** Issue CTAs of a task.
 * @param ctas  At most so many; 1 to allowance(); of a task of CGAs, those of whole CGAs.
 * @return      CTAs issued; fewer when there was no room for more. */
uint64_t issue(struct task *task, uint64_t ctas);

/** The last issue() was short of room: note why, and claim SMs for the task (method 400).
 * @return  Whether SMs are left for tasks behind it. */
bool issue_lacks_room(struct task *task);

#endif /* FIRMWARE_CP_SCHEDULE_ISSUE_H */
