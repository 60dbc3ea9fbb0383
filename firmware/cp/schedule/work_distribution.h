/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The work distribution unit (WDU). It decides which task an SM is assigned (method 400) and which SM takes the next
 * CTA (method 500): S0-R20…R35.
 *
 * The ready tasks are walked by priority, then by age. CTAs of each are issued as far as its own rules (sequence,
 * quota, queue) allow and SMs have room. A task that still has CTAs when no SM has room for them *claims* the SMs
 * that it may use: these are not offered to the tasks behind it, so that small tasks do not starve a large one.
 * Assignment is on demand: an SM is assigned a task when it is chosen for its CTAs, so a task of one CTA disturbs
 * one SM only. The choice is the same that method 500 would make if every SM had been assigned the task and had
 * acknowledged it.
 */
#ifndef FIRMWARE_CP_SCHEDULE_WORK_DISTRIBUTION_H
#define FIRMWARE_CP_SCHEDULE_WORK_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task/task.h"

/** Set up this unit, issue.c and slot.c; the mode of the device is GG_TASK_MODE_DEVICE. */
void work_distribution_init(void);

/** Set the mode of the device, which tasks with GG_TASK_MODE_DEVICE use (S0-R33), as issue_set_mode() does. */
void work_distribution_set_mode(enum gg_task_mode mode);

/** Update the PULL grids in slots with what SMs have taken since the last call. Those with nothing left may leave
 * their slots. */
void work_distribution_refresh(void);

/** Issue all CTAs that can be issued now. */
void work_distribution_run(void);

#endif /* FIRMWARE_CP_SCHEDULE_WORK_DISTRIBUTION_H */
