/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Which memory units CTAs get in an SM (S0-R35): each CTA takes the lowest run of free units that is long enough.
 * Most SMs that are asked about hold nothing; the answers for these are computed once, for each length of the run.
 */
#ifndef FIRMWARE_CP_SMS_SM_ROOM_H
#define FIRMWARE_CP_SMS_SM_ROOM_H

#include <assert.h>
#include <stdint.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/limits.h"

/** How many CTAs fit into an SM that holds nothing, and where. */
struct sm_room {
	uint32_t starts; /**< Lowest unit of each CTA, a bit each. */
	uint32_t ctas;   /**< Number of CTAs. */
};

/** By units of a CTA, 1 to CP_UNITS. Written by sm_room_init(). */
extern struct sm_room sm_room_whole[CP_UNITS + 1];
extern uint32_t sm_room_units; /**< Units of an SM, a bit each. Written by sm_room_init(). */

/** Compute the answers for SMs that hold nothing. `device.resources` has been filled in. */
void sm_room_init(void);

/** How many CTAs fit into free units.
 * @param free   Free units, a bit each.
 * @param units  Units of a CTA, 1 to CP_UNITS.
 * @param most   Largest number to return. */
static inline uint32_t sm_room_ctas(uint32_t free, uint32_t units, uint32_t most)
{
	const uint32_t ctas = free == sm_room_units ? sm_room_whole[units].ctas
			      : units == 1          ? bits_count(free)
						    : bits_count(bits_runs(free, units, most));

	return most < ctas ? most : ctas;
}

/** Lowest unit of each of `ctas` CTAs, a bit each.
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
