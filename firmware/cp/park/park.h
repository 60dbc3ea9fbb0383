/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Preemption inside a CTA: CTAs that others have waited for are parked (launch/launch_park.h), and go on later.
 *
 * Who waits: a ready task for which no SM has room, while CTAs of lower priorities are on SMs that it may use; a task that is
 * to leave its slot and has CTAs in flight, because it is evicted or suspended; and a throttle task while the mode cannot be switched.
 * `park_ms` of CONFIG is cut into three periods. Whoever waits at the end of two periods in a row has waited for longer than one of
 * them and for no longer than both, and the SMs are asked. The third one is theirs, to copy what they have.
 *
 * Parked CTAs of a task in a slot go back to their SM as soon as their units are free there and no task of a higher priority waits
 * for room. So nothing is lost but time. While `park_ms` is 0 and nothing is parked, nothing of this is executed.
 */
#ifndef FIRMWARE_CP_PARK_PARK_H
#define FIRMWARE_CP_PARK_PARK_H

#include <stdint.h>

#include "firmware/abi/refusal.h"

#define PARK_MOST_MS 60000u /**< Largest park_ms. */

/** Initialize: nobody waits, and nothing is parked. */
void park_init(void);

/** Check CONFIG.park_ms and park_page.
 * @return  GG_OK; GG_ERR_CONFIG: not a time, or not memory of the heap; GG_ERR_BUSY: CTAs are parked in another area. */
struct refusal park_check(uint32_t ms, uint32_t page);

/** Apply what park_check() has found right. */
void park_set(uint32_t ms, uint32_t page);

/** CTAs have been issued: send back parked ones, and park others if it is time. */
void park_run(void);

/** When park_run() wants to be called at the latest, in ticks. DUE_PARK is set. */
uint64_t park_deadline(void);

#endif /* FIRMWARE_CP_PARK_PARK_H */
