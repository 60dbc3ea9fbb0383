/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What an SM gets of a wave. The first SMs have one CTA more each.
 */
#ifndef FIRMWARE_SM_WAVE_SHARE_H
#define FIRMWARE_SM_WAVE_SHARE_H

#include <stdint.h>

#include "firmware/abi/field.h"
#include "firmware/abi/ganger_abi.h"

/** Lowest unit of each CTA of an SM, a bit each.
 * @param packet  The packet behind the entry.
 * @param rank    Of the SM among those of the wave. */
static inline uint32_t wave_share_starts(const struct gg_wave *entry,
					 const struct gg_packet *packet, uint32_t rank)
{
	return rank < entry->extra ? entry->starts_more : packet->starts;
}

/** Position of the first CTA of an SM. */
static inline uint64_t wave_share_first(const struct gg_wave *entry, const struct gg_packet *packet,
					uint32_t rank)
{
	const uint32_t before = rank * entry->each + (rank < entry->extra ? rank : entry->extra);

	return gg_join(packet->first_lo, packet->first_hi) + before;
}

#endif /* FIRMWARE_SM_WAVE_SHARE_H */
