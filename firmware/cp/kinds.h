/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The kinds of tasks of this firmware. A new kind is one row here.
 */
#ifndef FIRMWARE_CP_KINDS_H
#define FIRMWARE_CP_KINDS_H

#include "firmware/cp/task/kind.h"

/** By type; for task_kind_init(). */
extern const struct task_kind *const kinds[TASK_KINDS];

#endif /* FIRMWARE_CP_KINDS_H */
