/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How long passes took before (S2-R36, R37, R74), by context, kernel and number of CTAs (S2-Q11), so that it also
 * holds for another graph with the same pass. The table has a fixed size: a new entry replaces the oldest one of its
 * set.
 */
#ifndef FIRMWARE_GRAPH_HISTORY_H
#define FIRMWARE_GRAPH_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#ifndef GRAPH_HISTORY
#define GRAPH_HISTORY 256u /**< Entries; a power of two. */
#endif

#define GRAPH_UNKNOWN UINT16_MAX /**< Not a place in the table. */

/** What identifies a pass. */
struct graph_history_key {
	uint32_t context; /**< Context. */
	uint64_t entry;   /**< Entry of the kernel. */
	uint64_t ctas;    /**< CTAs. */
};

/** Forget all. */
void graph_history_init(void);

/** Time that a pass is expected to take, in ticks; 0: it was never seen.
 * @param[out] place  Where the table has it, for graph_history_add(); unchanged when it was never seen. */
uint32_t graph_history_ticks(const struct graph_history_key *key, uint16_t *place);

/** A pass took `ticks`. The estimate moves a quarter of the way to it; the first time is taken as it is.
 * @param[in,out] place  Where the table had it when it was last looked up, or anything. There it is looked for first, so that a pass that
 *                       runs again and again is not searched for each time. */
void graph_history_add(const struct graph_history_key *key, uint64_t ticks, uint16_t *place);

/** Whether an estimate differs by less than an eighth from what is expected now.
 * @param place  Where the table had the pass last, below GRAPH_HISTORY. If it has another one there now, the answer is about that one. */
bool graph_history_holds(uint16_t place, uint32_t estimate);

#endif /* FIRMWARE_GRAPH_HISTORY_H */
