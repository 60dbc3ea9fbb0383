/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Occupancy: how many CGAs of a TMD can run (S1-R44), for the host and for kernels.
 */
#ifndef FIRMWARE_CP_ACCEPT_OCCUPANCY_H
#define FIRMWARE_CP_ACCEPT_OCCUPANCY_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** How many top-level CGAs of a TMD could start, or CTAs when it is a grid without CGAs. The TMD is copied and checked
 * as for a submission, except for its dependence lists, and nothing of it is kept.
 * @param parent  Task of the kernel that asks: the TMD is checked as that of a child. NULL: the host asks.
 * @param idle    true: on an idle device; false: now.
 * @return        GG_OK with the number in `value`; or the refusal. */
struct refusal occupancy(struct task *parent, struct task_name name, bool idle);

#endif /* FIRMWARE_CP_ACCEPT_OCCUPANCY_H */
