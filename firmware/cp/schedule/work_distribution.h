/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Work distribution unit (WDU): which task an SM is assigned (method 400), and which SM takes the next
 * CTA (method 500). Spec S0-R20…R35.
 *
 * The tasks with CTAs to issue are walked by priority, then by age. Each is issued as far as its own rules
 * (sequence, quota, queue) let it and SMs have room. A task that has CTAs left for want of room *claims* the SMs
 * that it may use: tasks after it in the order get none of those, so nobody small starves
 * somebody large. Assignment is on demand: an SM is assigned a task when it is chosen for its CTAs, so
 * a task of one CTA disturbs one SM and not all of them; the choice is the one that method 500
 * makes if every SM had been assigned and had acknowledged.
 */
#ifndef FIRMWARE_CP_SCHEDULE_WORK_DISTRIBUTION_H
#define FIRMWARE_CP_SCHEDULE_WORK_DISTRIBUTION_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task/task.h"

/** Load balancing for tasks that leave it to the device. */
void work_distribution_init(void);

/** Mode of tasks that leave it to the device (S0-R33).
 * @param mode  GG_TASK_MODE_LOAD_BALANCING or GG_TASK_MODE_ROUND_ROBIN. */
void work_distribution_set_mode(enum gg_task_mode mode);

/** SMs take CTAs of PULL grids themselves: bring these tasks up to date. Those that have nothing left may leave
 * their slots. */
void work_distribution_refresh(void);

/** Issue all CTAs that can be issued now. */
void work_distribution_run(void);

#endif /* FIRMWARE_CP_SCHEDULE_WORK_DISTRIBUTION_H */
