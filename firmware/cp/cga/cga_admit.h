/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Static admission of CGA tasks (S1-Q10): what is accepted can run when nothing else does.
 */
#ifndef FIRMWARE_CP_CGA_CGA_ADMIT_H
#define FIRMWARE_CP_CGA_CGA_ADMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** No CGA task is in the device. */
void cga_admit_init(void);

/** A task was accepted, or is over. */
void cga_admit_count(const struct task *task, bool accepted);

/** CGA tasks that were accepted and are not over. Written by cga_admit.c. */
extern uint32_t cga_admit_accepted;

/** CGA tasks in the device. */
static inline uint32_t cga_admit_tasks(void)
{
	return part_is_here(GG_FEATURE_CLUSTERS) ? cga_admit_accepted : 0;
}

/** Whether a CGA of the task can ever be launched, on the SMs that are enabled now and that the task may
 * use. The refusal names the limit, and how much of it there is:
 * - mode: MULTI_CAST, and no domain has as many SMs as an innermost CGA has CTAs; the value is the most SMs
 *   that one has;
 * - cluster_x, outer_x, top_x: so many CTAs, or CGAs of the level below, fit in no domain; the value is the
 *   most that fit in one;
 * - config.cga_ids: it has more innermost CGAs than a pool has ids, so a GPC could come to need more (S1-R141).
 * @param task  Checked but for this; its shape is that of CGAs. */
bool cga_admit_check(struct task *task);

/** Top-level CGAs of a task that could run at once (S1-R44); of a grid without CGAs: CTAs. Ids and records
 * count, too; of ids as if all GPCs had the same SMs.
 * @param task  Accepted, or could be.
 * @param idle  Not now, but if nothing else ran. */
uint32_t cga_admit_fitting(const struct task *task, bool idle);

#endif /* FIRMWARE_CP_CGA_CGA_ADMIT_H */
