/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Needs of a CTA: what each CTA of a task takes from an SM (S0-R41, S1-R43, S3-R74, S3-R75).
 */
#ifndef FIRMWARE_CP_ACCEPT_NEEDS_H
#define FIRMWARE_CP_ACCEPT_NEEDS_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** Work out the needs from the TMD. Needs that no SM can ever meet are refused, so that accepted tasks can run
 * (S3-Q14).
 * @param task  With checked block dimensions and rules.needs.warps; gets the other needs, and rules.unit_mask.
 * @return      false: refused, with task->failure set. */
bool needs_check(struct task *task);

#endif /* FIRMWARE_CP_ACCEPT_NEEDS_H */
