/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Work distribution unit (WDU): the task table, which task an SM is assigned (method 400), and
 * which SM takes the next CTA (method 500). Spec S0-R20…R35. Owns the TASK TABLE words.
 *
 * Of the tasks with CTAs left, the first by priority, then by age in the table, is issued until it
 * has none left or no SM can take more. Assignment is on demand: an SM is assigned the task when
 * it is chosen for its CTAs, so a task of one CTA disturbs one SM and not all of them; the choice
 * is the one that method 500 makes if every SM had been assigned and had acknowledged.
 */
#ifndef FIRMWARE_CP_WORK_DISTRIBUTION_H
#define FIRMWARE_CP_WORK_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task.h"

/** Empty the task table. */
void work_distribution_init(void);

/** Mode of tasks that leave it to the device (S0-R33).
 * @param mode  GG_TASK_MODE_LOAD_BALANCING or GG_TASK_MODE_ROUND_ROBIN. */
void work_distribution_set_mode(enum gg_task_mode mode);

/** Time limit of CTAs whose task has none, in microseconds; 0 for none. */
void work_distribution_set_time_limit(uint32_t limit_us);

/** Whether the task table has a free slot. */
bool work_distribution_has_slot(void);

/** Put a task with CTAs left into a free slot (S0-R12). */
void work_distribution_insert(struct task *task);

/** Make a task of lower priority leave its slot (S0-R13): the youngest of the lowest priority.
 * @param priority  Only tasks of a larger number are asked.
 * @return          false when there is none. */
bool work_distribution_evict(uint32_t priority);

/** Issue all CTAs that can be issued now. */
void work_distribution_run(void);

/** Task of a slot, or NULL. */
struct task *work_distribution_task(uint32_t slot);

/** CTAs of a task ended on an SM; its resources are already free. */
void work_distribution_reported(struct task *task, uint32_t sm, const struct gg_report *report);

#endif /* FIRMWARE_CP_WORK_DISTRIBUTION_H */
