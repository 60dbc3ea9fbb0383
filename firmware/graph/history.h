/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How long passes took before (S2-R36, R37, R74), by context, kernel and number of CTAs (S2-Q11), so that it also
 * holds for another graph with the same pass. The table has a fixed size: a new entry replaces the oldest one of its
 * set.
 */
#ifndef FIRMWARE_GRAPH_HISTORY_H
#define FIRMWARE_GRAPH_HISTORY_H

#include <stdint.h>

#ifndef GRAPH_HISTORY
#define GRAPH_HISTORY 256u /**< Entries; a power of two. */
#endif

/** What identifies a pass. */
struct graph_history_key {
	uint32_t context; /**< Context. */
	uint64_t entry;   /**< Entry of the kernel. */
	uint64_t ctas;    /**< CTAs. */
};

/** Forget all. */
void graph_history_init(void);

/** Time that a pass is expected to take, in ticks; `otherwise` when it was never seen. */
uint32_t graph_history_ticks(const struct graph_history_key *key, uint32_t otherwise);

/** A pass took `ticks`. The estimate moves a quarter of the way to it; the first time is taken as it is. */
void graph_history_add(const struct graph_history_key *key, uint64_t ticks);

#endif /* FIRMWARE_GRAPH_HISTORY_H */
