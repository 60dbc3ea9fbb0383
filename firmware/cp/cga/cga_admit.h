/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Static admission of CGA tasks (S1-Q10): a task is accepted only if its CGAs can run when nothing else does.
 */
#ifndef FIRMWARE_CP_CGA_CGA_ADMIT_H
#define FIRMWARE_CP_CGA_CGA_ADMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Reset: no CGA task is in the device. */
void cga_admit_init(void);

/** Count a task that was accepted or is over; tasks without CGAs do not count. */
void cga_admit_count(const struct task *task, bool accepted);

/** Number of CGA tasks that were accepted and are not over. Written by cga_admit.c. */
extern uint32_t cga_admit_accepted;

/** Number of CGA tasks that were accepted and are not over. */
static inline uint32_t cga_admit_tasks(void)
{
	return part_is_here(GG_FEATURE_CLUSTERS) ? cga_admit_accepted : 0;
}

/** Check that a CGA of the task can be launched at all on the SMs that are enabled now and that the task may use. The
 * refusal names the field at fault, and as its value the limit:
 * - mode: MULTI_CAST, and no domain has as many SMs as an innermost CGA has CTAs; the value is the largest number of
 *   SMs in a domain;
 * - cluster_x, outer_x, top_x: no domain has room for so many CTAs, or CGAs of the level below; the value is the
 *   largest number that fits in one;
 * - config.cga_ids: the CGA has more innermost CGAs than a pool has ids, and all of them might need ids of one GPC
 *   (S1-R141).
 * @param task  All other fields have been checked; it has CGAs.
 * @return      false, with task->failure set, when the task is refused. */
bool cga_admit_check(struct task *task);

/** How many top-level CGAs of a task, or CTAs of a task without CGAs, could run at once (S1-R44). Ids and records are
 * counted, too; for ids, all GPCs are assumed to have the same SMs.
 * @param task  Accepted, or one that could be.
 * @param idle  Whether to answer as if nothing else ran. */
uint32_t cga_admit_fitting(const struct task *task, bool idle);

#endif /* FIRMWARE_CP_CGA_CGA_ADMIT_H */
