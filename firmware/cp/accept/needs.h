/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Needs of a CTA, from its TMD: what it takes from an SM (S0-R41, S1-R43, S3-R74, S3-R75).
 */
#ifndef FIRMWARE_CP_ACCEPT_NEEDS_H
#define FIRMWARE_CP_ACCEPT_NEEDS_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** Work out the needs; needs that no SM can ever meet are refused, so what is accepted can run
 * (S3-Q14).
 * @param task  Its block dimensions are checked, and needs.warps is set.
 * @return      false, with task->failure set. */
bool needs_check(struct task *task);

#endif /* FIRMWARE_CP_ACCEPT_NEEDS_H */
