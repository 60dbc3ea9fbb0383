/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What an SM gets of a wave. The first SMs have one CTA more each.
 *
 * Of a wave of several CGAs an SM gets CTAs of one or more. The SMs, by rank, are filled by the first CGA, the second, and so on;
 * when the last ones are, the first ones get CTAs of further CGAs. So an SM has `run` CTAs of each of its CGAs, and
 * these are as many positions apart as all SMs have CTAs in one such round.
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
	const uint32_t before =
		entry->run != 0 ? rank * entry->run
				: rank * entry->each + (rank < entry->extra ? rank : entry->extra);

	return gg_join(packet->first_lo, packet->first_hi) + before;
}

/** Of CTAs of an SM that are left, those whose positions follow one another from the first on: those of one CGA.
 * @param starts  Lowest units of those that are left.
 * @return        Their lowest units. */
static inline uint32_t wave_share_run(const struct gg_wave *entry, uint32_t starts)
{
	uint32_t rest = starts;

	for (uint32_t ctas = entry->run; ctas != 0; ctas--) {
		rest &= rest - 1u;
	}
	return entry->run != 0 ? starts & ~rest : starts;
}

#endif /* FIRMWARE_SM_WAVE_SHARE_H */
