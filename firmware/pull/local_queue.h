/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Local queues: far groups of SMs fetch larger portions of an entry, once for all of their SMs
 * (S4-R11, R30…R34, R62…R66, R71, R74, R78…R92).
 *
 * There is one for each far group and entry, in memory near the group; local queue X belongs to
 * entry X (R32). It has what its SMs need to know of the entry, so that they reach over to the
 * far entry for a portion only: one atomic addition each (R71, R89).
 *
 * A portion is cut into four chunks for each SM of the group, or as the policy says.
 *
 * Portions are numbered; `word` has the number of the current one and how many of its granules are
 * left, and changes by compare-and-swap. `state` says how far the *next* step is, and of which
 * portion it speaks. With k the number in `word`:
 *
 *     STAGED k        portion k is in use, nobody fetches the next one: an SM that finds few
 *                     granules left swaps this for FETCHING k + 1 and fetches (R79, R83, R85)
 *     FETCHING k + 1  that SM is on its way: at most one per group (V9)
 *     STAGED k + 1    portion k + 1 waits in first and count: when no granule is left, an SM
 *                     swaps `word` from (k, 0) to (k + 1, count)
 *     EMPTY k + 1     the entry was empty: portion k is the last one
 *
 * first and count have two places, by the lowest bit of the number, so that fetching does not
 * disturb the portion in use. Since each state names its portion, an SM that was held up between
 * two of its accesses finds that its swap fails, instead of doing the step for another portion. The
 * numbers have 12 bits: an SM that is held up for 4,096 portions within one call is not caught.
 *
 * Nobody has to wait: an SM that is told WORK_WAIT may take straight from the entry at any time
 * (R74), and when that is empty, too, it is through: what the other one fetches is that one's to do.
 * An SM that asks the entry first must ask here before it is through.
 * An SM that dies while it fetches leaves FETCHING for good, and the others do without.
 */
#ifndef FIRMWARE_PULL_LOCAL_QUEUE_H
#define FIRMWARE_PULL_LOCAL_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/pull/chunk.h"
#include "firmware/pull/work_queue.h"

#define LOCAL_LEFT_BITS 20u   /**< Bits of `word` below the number: granules that are left. */
#define LOCAL_NUMBERS   4096u /**< Numbers of portions are modulo this. */

/** Upper part of `state`; the lower 12 bits are the portion's number. */
enum local_kind {
	LOCAL_CLOSED = 0, /**< No task; zero memory is a closed queue. */
	LOCAL_STAGED = 1,
	LOCAL_FETCHING = 2,
	LOCAL_EMPTY = 3,
};

/** A local queue; aligned to 64 bytes. Words of 32 bits. */
struct local_queue {
	/** Number << 20 | granules left. Writers: SMs of the group, by compare-and-swap. */
	uint32_t word;
	/** Kind << 12 | number. Writers: SMs of the group, by compare-and-swap; while FETCHING the
	 * SM that fetches; CP opens and closes. */
	uint32_t state;
	uint32_t first[2]; /**< First granule of a portion. Writer: the SM that fetches. */
	uint32_t count[2]; /**< Granules of a portion. Writer: the SM that fetches. */
	uint32_t stopped;  /**< 1: nothing more is granted here. Writer: CP. */
	uint32_t members;  /**< Approved SMs of the group, at least 1. Writer: CP. */
	uint32_t
		threshold; /**< The next portion is fetched when no more granules than this are left (R79). Writer: CP. */
	struct work_plan plan;            /**< Copy of the entry's. Writer: CP. */
	uint32_t reserved[9];             /**< 0. */
	uint32_t approved[WORK_SM_WORDS]; /**< Approved SMs of the group (R31). Writer: CP. */
	uint32_t seen_by[WORK_SM_WORDS];  /**< Reserved: 0. */
};

/** Open the local queue of a group, after its entry was placed and before it is opened. CP only.
 * @param entry      The entry of the same number.
 * @param group      SMs of the group, WORK_SM_WORDS words.
 * @param threshold  Granules; 0: fetch when the last one is taken.
 * @return           Approved SMs of the group; with 0 the queue stays closed. */
uint32_t local_open(struct local_queue *queue, const struct work_entry *entry,
		    const uint32_t *group, uint32_t threshold);

/** Take a chunk from the local queue; fetch the next portion when few granules are left.
 * @param entry        The entry of the same number.
 * @param sm         Below WORK_SMS.
 * @param wish         Granules; 0: anything.
 * @param history      Of this SM and entry; NULL: unknown.
 * @param[out] grant   Valid when granted; `fetched` always.
 * @return  WORK_GRANTED; WORK_EMPTY: nothing is left, here or in the entry; WORK_NOT_APPROVED;
 *          WORK_WAIT: another SM is fetching: ask again, a bounded number of times, or take from
 *          the entry. */
enum work_result local_take(struct local_queue *queue, struct work_entry *entry, uint32_t sm,
			    uint32_t wish, const struct chunk_history *history,
			    struct work_grant *grant);

/** Grant nothing more, not even what is staged: the task is cancelled. CP only. */
void local_stop(struct local_queue *queue);

/** Close the queue after the entry was freed. CP only. */
void local_close(struct local_queue *queue);

#endif /* FIRMWARE_PULL_LOCAL_QUEUE_H */
