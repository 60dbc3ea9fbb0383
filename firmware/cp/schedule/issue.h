/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Issue of a task's next CTAs to the SMs that are offered to it (method 500: S0-R31, S0-R32). Its policy chooses the
 * SMs for plain CTAs; the query model (cga.h) does so for CGAs. Owns the table of policies.
 */
#ifndef FIRMWARE_CP_SCHEDULE_ISSUE_H
#define FIRMWARE_CP_SCHEDULE_ISSUE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task/task.h"

/** Reset all policies; the mode of the device is GG_TASK_MODE_DEVICE. */
void issue_init(void);

/** Set the mode of the device, which tasks with GG_TASK_MODE_DEVICE use (S0-R33).
 * @param mode  Load balancing; round robin; or GG_TASK_MODE_DEVICE: load balancing, unless issue_pulls(). */
void issue_set_mode(enum gg_task_mode mode);

/** Whether a plain grid with GG_TASK_MODE_DEVICE is pulled. It is when it does not fit into the device, SMs can take CTAs
 * themselves, and CTAs are not parked, which those of PULL grids cannot be. Where the control processor has to grant the chunks, it is
 * more work at first than to launch CTAs, so that the grid has to be many times larger.
 * @param ctas  CTAs of the grid.
 * @param most  CTAs that fit into the device when it holds nothing. */
bool issue_pulls(uint64_t ctas, uint32_t most);

/** Whether a task that is no PULL grid is distributed by load balancing. */
bool issue_is_balanced(const struct task *task);

/** Issue CTAs of a ready task.
 * @param ctas  Most CTAs to issue: 1 to allowance(); whole CGAs for a task of CGAs.
 * @return      CTAs that were issued; fewer when there was no room for more. */
uint64_t issue(struct task *task, uint64_t ctas);

/** Handle that the last issue() lacked room: set the task's stall reason, and claim SMs for it (method 400).
 * @return  Whether SMs are left to offer to tasks behind it. */
bool issue_lacks_room(struct task *task);

#endif /* FIRMWARE_CP_SCHEDULE_ISSUE_H */
