/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The link in the control processor's loop: service.c on a board with a driver of hal/link.h,
 * absent.c on all others.
 */
#ifndef FIRMWARE_LINK_SERVICE_H
#define FIRMWARE_LINK_SERVICE_H

#include <stdbool.h>

/** Begin to answer. The map of the device is ready. */
void service_start(void);

/** Answer at most one frame, or ring the host.
 * @return  true: something was done, so the host may have written what the loop has to look at. */
bool service_turn(void);

/** The control processor stands still, with interrupts disabled. The host may read why. */
void service_stand(void);

/** Handles an external interrupt of hart 0. */
void service_interrupt(void);

#endif /* FIRMWARE_LINK_SERVICE_H */
