/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The waves that are out: what wave_launch.c, which begins them, and wave.c, which follows them to their end, both know of them. Nobody
 * else looks at it.
 */
#ifndef FIRMWARE_CP_WAVE_WAVE_OUT_H
#define FIRMWARE_CP_WAVE_WAVE_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/limits.h"

/** A wave that is out. */
struct wave {
	uint32_t ranks[CP_SM_WORDS]; /**< Its SMs, a bitmap by rank. */
	uint32_t sms[CP_SM_WORDS];   /**< Those that have not been taken as ended, by number. */
	uint32_t size;               /**< Number of its SMs. */
	uint32_t count;              /**< Number of those in `sms`. */
	uint32_t ctas;               /**< CTAs of the wave. */
};

extern struct wave wave_out[CP_SLOTS]; /**< By slot; valid while the slot has a wave. */
extern uint32_t wave_serial;           /**< Waves launched, modulo 2^32. */
extern bool wave_wanted;               /**< Somebody lacked room in this walk. */

/** CTAs that an SM of the first ones has more than the others. */
static inline uint32_t wave_more(const struct gg_wave *entry)
{
	return entry->run != 0 ? entry->run : 1;
}

#endif /* FIRMWARE_CP_WAVE_WAVE_OUT_H */
