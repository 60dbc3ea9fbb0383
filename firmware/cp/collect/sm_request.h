/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * SM requests: CTAs launch child tasks (S0-R07), push items to queues (S0-R05) and close them, print, and ask for
 * occupancy (S1-R44). Owns the CP's ends of the request rings.
 *
 * Requests come straight from the SM, without the host. Each is answered at once, so that a CTA never waits for room.
 */
#ifndef FIRMWARE_CP_COLLECT_SM_REQUEST_H
#define FIRMWARE_CP_COLLECT_SM_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/device.h"
#include "firmware/cp/base/limits.h"
#include "hal/mmio.h"

/** Requests answered, by SM, modulo 2^32. Written by sm_request.c. */
extern uint32_t sm_request_taken[CP_SMS];

/** Initialize: no requests were answered. */
void sm_request_init(void);

/** Whether an SM has written a request that is not answered. */
static inline bool sm_request_waits(uint32_t sm)
{
	return mmio_read32(&device.sms[sm].request_put) != sm_request_taken[sm];
}

/** Carry out and answer all requests that an SM has written. */
void sm_request_serve(uint32_t sm);

#endif /* FIRMWARE_CP_COLLECT_SM_REQUEST_H */
