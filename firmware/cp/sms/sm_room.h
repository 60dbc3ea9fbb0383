/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Which memory units CTAs get in an SM (S0-R35): each takes the lowest run of free units that is long enough.
 * Most SMs that are asked hold nothing; for these the answers are kept, by length of the run.
 */
#ifndef FIRMWARE_CP_SMS_SM_ROOM_H
#define FIRMWARE_CP_SMS_SM_ROOM_H

#include <assert.h>
#include <stdint.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/limits.h"

/** What an SM that holds nothing has room for. */
struct sm_room {
	uint32_t starts; /**< Lowest unit of each CTA, a bit each. */
	uint32_t ctas;   /**< How many they are. */
};

extern struct sm_room sm_room_whole[CP_UNITS + 1]; /**< By units of a CTA, 1 to CP_UNITS. */
extern uint32_t sm_room_units;                     /**< Free units of such an SM. */

/** Find the answers for this device; `device.resources` is ready. */
void sm_room_init(void);

/** CTAs that there is room for.
 * @param free   Free units, a bit each.
 * @param units  Of a CTA, 1 to CP_UNITS.
 * @param most   Not more are of interest. */
static inline uint32_t sm_room_ctas(uint32_t free, uint32_t units, uint32_t most)
{
	if (free == sm_room_units) {
		return most < sm_room_whole[units].ctas ? most : sm_room_whole[units].ctas;
	}
	return bits_count(bits_runs(free, units, most));
}

/** Lowest unit of each of so many CTAs, a bit each.
 * @param ctas  1 to sm_room_ctas(). */
static inline uint32_t sm_room_starts(uint32_t free, uint32_t units, uint32_t ctas)
{
	if (free == sm_room_units) {
		assert(ctas <= sm_room_whole[units].ctas);
		return sm_room_whole[units].starts & bits_ones(ctas * units);
	}
	const uint32_t starts = bits_runs(free, units, ctas);

	assert(bits_count(starts) == ctas);
	return starts;
}

#endif /* FIRMWARE_CP_SMS_SM_ROOM_H */
