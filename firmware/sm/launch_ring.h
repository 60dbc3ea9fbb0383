/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the CP sends: assignments (S0-R27), launch packets (S0-R34), answers to requests (S0-R07),
 * orders to stop a task.
 */
#ifndef FIRMWARE_SM_LAUNCH_RING_H
#define FIRMWARE_SM_LAUNCH_RING_H

#include "firmware/sm/sm.h"

/** Take back the interrupt, then look at all that the CP may have sent: in this order, so that
 * nothing is missed. sm->now is the time after that. */
void launch_ring_look(struct sm *sm);

#endif /* FIRMWARE_SM_LAUNCH_RING_H */
