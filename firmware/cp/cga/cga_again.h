/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * CGAs that run again because SMs of theirs were lost: those of tasks whose TMD has a `retry_limit` (task/retry.h).
 *
 * A CGA runs again as a whole. Its CTAs on other SMs are marked in their `member` entries, and the SMs are asked to stop what
 * is marked. When all have ended, the positions of the CGA become a range of its task, as those of single CTAs do. Until then
 * its record, its id and its units stay its own, so that nothing of it can meet what it becomes: that has another place,
 * another sequence number and another barrier.
 *
 * All CTAs of a CGA have the losses of the CGA. It is suspected to be the reason of a loss when it had CTAs on both SMs.
 */
#ifndef FIRMWARE_CP_CGA_CGA_AGAIN_H
#define FIRMWARE_CP_CGA_CGA_AGAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/cga/cga_record.h"
#include "firmware/cp/task/task.h"

/** Have the CGA of a CTA that a lost SM has run again; nothing happens when it will already.
 * @param task    The task in the slot of the CGA.
 * @param unit    Lowest unit of the CTA.
 * @param losses  task_range.losses with which the CGA runs again.
 * @return        false: the pool of ranges is full, and nothing has changed. */
bool cga_again(struct task *task, uint32_t sm, uint32_t unit, uint32_t losses);

/** Keep a CGA that runs again and whose CTAs have all ended, so that it is issued again. */
void cga_again_keep(struct task *task, const struct cga *cga);

#endif /* FIRMWARE_CP_CGA_CGA_AGAIN_H */
