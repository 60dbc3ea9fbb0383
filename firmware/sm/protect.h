/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What a CTA may reach, and nothing else: its own memory, its task's code, arguments, heap and
 * windows (S3-R45, S3-R54, S3-R82).
 *
 * A table is made once for each task, or is that of the task that had the slot before, when nothing is different. It is loaded when another table is in place. When another CTA of the same task
 * gets it, only the entries of the CTA's own memory are loaded. A CTA with windows into the memory of other members
 * of its CGA has a table of its own, which is made each time that it gets the hart. On a core without protection the
 * tables are empty.
 */
#ifndef FIRMWARE_SM_PROTECT_H
#define FIRMWARE_SM_PROTECT_H

#include "firmware/sm/sm.h"

/** A task comes to a slot: find out whether the table of the task before is the one that it needs.
 * @param units  Units that each of its CTAs takes. */
void protect_prime(const struct sm *sm, struct sm_task *task, uint32_t units);

/** The memory of all units has moved: no table holds any longer. */
void protect_forget(struct sm *sm);

/** Let a CTA that is about to run reach what it may.
 * @return  false when the core has too few entries for that, or too coarse a grain. */
bool protect_load(struct sm *sm, struct sm_cta *cta);

#endif /* FIRMWARE_SM_PROTECT_H */
