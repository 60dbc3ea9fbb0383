/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * An allocator for many small pieces of device memory that come and go, such as TMDs: places of
 * equal size in chunks of a heap. Taking and giving back cost the same for one piece and for a
 * hundred thousand. A chunk stays when all of its places are free; only the chunk of a large piece
 * goes back to the heap. Not thread-safe: the owner holds a lock.
 */
#ifndef HOST_LIB_CORE_POOL_H
#define HOST_LIB_CORE_POOL_H

#include "host/lib/core/heap.h"

#define POOL_ALIGN   256u /**< Alignment of every piece. */
/** Bytes of the smallest place; each class doubles them. */
#define POOL_PLACE   512u
#define POOL_CLASSES 8u                    /**< Classes: 512 bytes to 64 KiB. */
#define POOL_CHUNK   ((uint64_t)256 << 10) /**< Bytes of a chunk; fewer if the heap has no more. */

struct pool_chunk;

/** A chunk and its address. */
struct pool_entry {
	uint64_t start; /**< First byte. */
	struct pool_chunk *chunk;
};

/** All zero is an empty pool. */
struct pool {
	struct pool_entry *at; /**< All chunks, in order of address. */
	size_t count;
	size_t capacity;
	struct pool_chunk *spare[POOL_CLASSES]; /**< Chunks with free places, by class. */
};

/** Takes a piece, aligned to POOL_ALIGN. @return GG_ERR_NO_MEMORY. */
enum gg_status pool_take(struct pool *pool, struct heap *heap, uint64_t bytes, uint64_t *address);

/** Gives back what pool_take() gave. @param left  Bytes from the address on that went back to the heap,
 * so that they may become anybody's; 0: the pool keeps them. @return GG_ERR_ARGUMENT: it did not. */
enum gg_status pool_give(struct pool *pool, struct heap *heap, uint64_t address, uint64_t *left);

/** Frees the bookkeeping and leaves an empty pool. */
void pool_clear(struct pool *pool);

#endif /* HOST_LIB_CORE_POOL_H */
