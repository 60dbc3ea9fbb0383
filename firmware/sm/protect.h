/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What a CTA may reach, and nothing else: its own memory, its task's code, arguments, heap and
 * windows (S3-R45, S3-R54, S3-R82).
 *
 * A table is made for each unit the first time that a task uses it, and loaded only when another
 * CTA gets the hart. On a core without protection the tables are empty.
 */
#ifndef FIRMWARE_SM_PROTECT_H
#define FIRMWARE_SM_PROTECT_H

#include "firmware/sm/sm.h"

/** Let a CTA that is about to run reach what it may.
 * @return  false when the core has too few entries for that, or too coarse a grain. */
bool protect_load(struct sm *sm, struct sm_cta *cta);

#endif /* FIRMWARE_SM_PROTECT_H */
