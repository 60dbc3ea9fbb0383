/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Requests of CTAs: child tasks (S0-R07), items for queues (S0-R05), occupancy (S1-R44). They come straight from the SM,
 * the host has no part in them. Each is answered at once, so a CTA never waits for room.
 * Owns the CP's ends of the request rings.
 */
#ifndef FIRMWARE_CP_REQUEST_H
#define FIRMWARE_CP_REQUEST_H

#include <stdint.h>

/** Forget everything. */
void request_init(void);

/** Take and answer what an SM has written. */
void request_poll(uint32_t sm);

#endif /* FIRMWARE_CP_REQUEST_H */
