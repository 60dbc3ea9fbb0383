/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What a CTA may reach, and nothing else: its own memory, its task's code, arguments, heap and
 * windows (S3-R45, S3-R54, S3-R82).
 *
 * A table is made once for each task, and loaded when another task gets the hart. When another CTA of the same task
 * gets it, only the entries of the CTA's own memory are loaded. A CTA with windows into the memory of other members
 * of its CGA has a table of its own, which is made each time that it gets the hart. On a core without protection the
 * tables are empty.
 */
#ifndef FIRMWARE_SM_PROTECT_H
#define FIRMWARE_SM_PROTECT_H

#include "firmware/sm/sm.h"

/** Let a CTA that is about to run reach what it may.
 * @return  false when the core has too few entries for that, or too coarse a grain. */
bool protect_load(struct sm *sm, struct sm_cta *cta);

#endif /* FIRMWARE_SM_PROTECT_H */
