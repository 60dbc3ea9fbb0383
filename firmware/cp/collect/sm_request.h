/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Requests of CTAs: child tasks (S0-R07), items for queues (S0-R05), occupancy (S1-R44). They come straight from the SM,
 * the host has no part in them. Each is answered at once, so a CTA never waits for room.
 * Owns the CP's ends of the request rings.
 */
#ifndef FIRMWARE_CP_COLLECT_SM_REQUEST_H
#define FIRMWARE_CP_COLLECT_SM_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/device.h"
#include "firmware/cp/base/limits.h"
#include "hal/mmio.h"

/** Requests answered, by SM. Written by request.c. */
extern uint32_t sm_request_taken[CP_SMS];

/** Forget everything. */
void sm_request_init(void);

/** Whether an SM has written a request. */
static inline bool sm_request_waits(uint32_t sm)
{
	return mmio_read32(&device.sms[sm].request_put) != sm_request_taken[sm];
}

/** Take and answer what an SM has written. */
void sm_request_serve(uint32_t sm);

#endif /* FIRMWARE_CP_COLLECT_SM_REQUEST_H */
