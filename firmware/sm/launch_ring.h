/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the CP launches here: assignments (S0-R27), launch packets (S0-R34), and orders to stop a task.
 */
#ifndef FIRMWARE_SM_LAUNCH_RING_H
#define FIRMWARE_SM_LAUNCH_RING_H

#include "firmware/sm/sm.h"

/** Take the launch packets that have come, and the assignments that come with them. */
void launch_ring_take(struct sm *sm);

/** Stop a task if the CP orders it. Takes what the CP launched before the order first, then ends all CTAs of the task
 * that are here. */
void launch_ring_stop(struct sm *sm);

#endif /* FIRMWARE_SM_LAUNCH_RING_H */
