/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Occupancy: how many CGAs of a TMD can run (S1-R44), for the host and for kernels.
 */
#ifndef FIRMWARE_CP_ACCEPT_OCCUPANCY_H
#define FIRMWARE_CP_ACCEPT_OCCUPANCY_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** How many top-level CGAs of a TMD could start; of a grid without CGAs: CTAs. The TMD is taken and checked as
 * for a submission, but for its lists of other tasks; nothing is kept of it.
 * @param parent  The kernel's task that asks: the TMD is checked as that of a child. NULL: the host asks.
 * @param idle    Not now, but if nothing else ran.
 * @return        The number in `value`, or why the TMD is refused. */
struct refusal occupancy(struct task *parent, struct task_name name, bool idle);

#endif /* FIRMWARE_CP_ACCEPT_OCCUPANCY_H */
