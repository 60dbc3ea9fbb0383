/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How much work is taken at once (S4-R56…R61, R64, R81, R93, R94).
 *
 * Work is counted in granules of one set. A granule is one item, or more in very large sets. A set either has a
 * preset chunk size (R57), or the size is found for each chunk: a share of what remains, so that chunks shrink
 * towards the end, but no more than the SM does in a given time, so that a slow SM does not hold the last chunk.
 */
#ifndef FIRMWARE_PULL_CHUNK_H
#define FIRMWARE_PULL_CHUNK_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/** Most granules that are taken at once: what fits into the word of a local queue, and what keeps
 * the counter of an entry above -2^31 when all SMs take at once (S4-R113). */
#define CHUNK_MOST 0xfffffu
#define CHUNK_SHARE \
	4u /**< Without preset and wish, a chunk is one of so many parts of an even share. */

/** How a set is cut up. */
struct chunk_policy {
	uint32_t fixed; /**< Preset size (S4-R57); 0: adaptive. */
	uint32_t least; /**< Smallest chunk, at least 1. The last chunk may be smaller. */
	uint32_t most;  /**< Largest chunk, 1 … CHUNK_MOST. */
	uint32_t
		far_factor; /**< A far group fetches that many chunks (S4-R59); 0: one per SM of it. */
	uint32_t
		target_ticks; /**< A chunk takes no longer than this when the speed of the SM is known; 0: no limit. */
};

/** What an SM has done of a set (S4-R38). Zero before its first chunk. Writer: the SM. */
struct chunk_history {
	uint32_t chunks;            /**< Finished chunks; stays at its largest value. */
	uint32_t granules;          /**< Granules in them, modulo 2^32. */
	uint32_t ticks_per_granule; /**< In 1/256 ticks, smoothed. */
	uint32_t last_granules;     /**< In the last chunk. */
	uint32_t last_ticks;        /**< Time of the last chunk. */
	uint32_t worth; /**< Granules that take so little time that it is not worth while to
	                                 take fewer; 0: unknown. */
};

/** Check a policy and fill in what it leaves open; sizes become granules, rounded up.
 * @param[in,out] policy  Sizes in items, any value; 0 leaves it to this device.
 * @param granules        Of the whole set, at least 1.
 * @param shift           A granule is 2^shift items.
 * @param sms           That may take work, at least 1. With more than one SM, none gets the
 *                        whole set (S4-R60).
 * @return  GG_ERR_ARGUMENT: the smallest chunk is larger than the largest; nothing was changed. */
__attribute__((warn_unused_result)) enum gg_status
chunk_settle(struct chunk_policy *policy, uint32_t granules, uint32_t shift, uint32_t sms);

/** Size of the next chunk of an SM.
 *
 * Preset: that size; a larger wish is rounded up to a multiple of it (S4-R57 b). Otherwise a wish is
 * followed within the bounds (R56), and without one a quarter of an even share is taken, or more up to
 * a whole one if that is worth while, limited by target_ticks where the speed of the SM is known (R58 c, R61).
 * @param policy     Settled.
 * @param history    Of this SM and set; NULL: unknown.
 * @param wish       What the SM asks for; 0: anything.
 * @param remaining  Granules that remain.
 * @param sms      That share them, at least 1.
 * @return           0 only when nothing remains; at most `remaining` and CHUNK_MOST. */
uint32_t chunk_size(const struct chunk_policy *policy, const struct chunk_history *history,
		    uint32_t wish, uint32_t remaining, uint32_t sms);

/** Size of the next portion of a far group's local queue (S4-R59, R64, R93): far_factor chunks, but
 * no more than an even share of what remains, so that no group gets everything (Q11).
 * @param sms    Of the set, as for chunk_size().
 * @param groups   Far groups that share what remains, and one for all near SMs; at least 1.
 * @param members  SMs of the group, at least 1.
 * @return        0 only when nothing remains; at least the chunk itself. */
uint32_t chunk_portion(const struct chunk_policy *policy, const struct chunk_history *history,
		       uint32_t remaining, uint32_t sms, uint32_t groups, uint32_t members);

/** Learn from a chunk that is finished (S4-R38, R81). The first counts in full, a later one a
 * quarter.
 * @param granules  In it, 1 … CHUNK_MOST.
 * @param ticks     Time that it took. */
void chunk_record(struct chunk_history *history, uint32_t granules, uint32_t ticks);

/** Whether a group is far: its way to the queue takes longer than the threshold (S4-R62, R76).
 * @param latency_ticks    Of one access, as the board says.
 * @param threshold_ticks  0: no group is far. */
static inline bool chunk_is_far(uint32_t latency_ticks, uint32_t threshold_ticks)
{
	return threshold_ticks != 0 && latency_ticks > threshold_ticks;
}

#endif /* FIRMWARE_PULL_CHUNK_H */
