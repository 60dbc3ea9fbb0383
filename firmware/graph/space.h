/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The work space of a graph while plan.c gives it away. Each piece of memory belongs to the transient that used it
 * last, so a transient has at most one piece (struct graph_region): all its own memory, or what is left at its upper
 * end, since later transients begin at the lower end of a piece. All pieces are linked by address; the free ones are
 * also in a list of their own.
 */
#ifndef FIRMWARE_GRAPH_SPACE_H
#define FIRMWARE_GRAPH_SPACE_H

#include "firmware/graph/model.h"

#define SPACE_ALIGN 64u          /**< Places are aligned to this many bytes. */
#define SPACE_MOST  (1ull << 48) /**< Bytes of a transient, at most. */

/** How places are chosen. */
enum space_way {
	SPACE_APART, /**< Fresh memory while there is some, then what has been free for longest. */
	SPACE_TIGHT, /**< What is free already, then fresh memory. */
	SPACE_MEASURE, /**< As TIGHT, without a limit and without waits: to find how much memory that takes. */
};

/** `life` of a resource. */
enum space_life {
	SPACE_LIFE_NONE = 0, /**< It has no place yet. */
	SPACE_LIFE_USED,     /**< It has a place. */
	SPACE_LIFE_FREE,     /**< Its memory, or the upper end of it, is free. */
	SPACE_LIFE_GONE,     /**< Others have all its memory. */
};

/** Bytes that a transient takes. */
static inline uint64_t space_round(uint64_t bytes)
{
	return (bytes + SPACE_ALIGN - 1) & ~(uint64_t)(SPACE_ALIGN - 1);
}

/** Give a transient a place: sets its `address`. The pass waits for the transients that had this memory before
 * (GRAPH_USE_FREE).
 * @return  GG_ERR_GRAPH_MEMORY: no room; GG_ERR_GRAPH_TOO_LARGE: no room for the waits. */
enum gg_status space_give(struct graph *graph, uint32_t resource, uint32_t pass,
			  uint64_t space_bytes);

/** Take the transient's place back. */
void space_take(struct graph *graph, uint32_t resource);

/** A pass waits until a version is free. @return false: no room for the access. */
bool space_wait(struct graph *graph, uint32_t pass, uint32_t version);

#endif /* FIRMWARE_GRAPH_SPACE_H */
