/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * An allocator of device addresses; all its bookkeeping is on the host. First fit; neighbours
 * are joined when memory is given back. Not thread-safe: the owner holds a lock.
 */
#ifndef HOST_LIB_CORE_HEAP_H
#define HOST_LIB_CORE_HEAP_H

#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/** A range of addresses. */
struct range {
	uint64_t start; /**< First byte. */
	uint64_t bytes; /**< Not 0. */
};

/** Ranges that do not overlap, in order of address. */
struct ranges {
	struct range *at;
	size_t count;
	size_t capacity;
};

/** All zero is an empty heap. */
struct heap {
	struct ranges spare; /**< Are free; no two of them touch. */
	struct ranges taken; /**< Were given out. */
	uint64_t high;       /**< End of the highest place that was ever given out, or 0. */
};

/** Adds memory, which must not be in the heap yet. @return GG_ERR_NO_MEMORY: the host has no memory
 * for the bookkeeping. */
enum gg_status heap_add(struct heap *heap, uint64_t start, uint64_t bytes);

/**
 * Takes the lowest place that fits; bytes are rounded up to 16, align is a power of two.
 * @return GG_ERR_NO_MEMORY.
 */
enum gg_status heap_take(struct heap *heap, uint64_t bytes, uint64_t align, uint64_t *address);

/** Gives back what heap_take() gave. @return GG_ERR_ARGUMENT: it did not. */
enum gg_status heap_give(struct heap *heap, uint64_t address);

/** Free bytes: in all, and in the largest piece. */
uint64_t heap_free_bytes(const struct heap *heap);
uint64_t heap_largest(const struct heap *heap);

/** Bytes that were given out. */
uint64_t heap_taken_bytes(const struct heap *heap);

/** Frees the bookkeeping and leaves an empty heap. */
void heap_clear(struct heap *heap);

#endif /* HOST_LIB_CORE_HEAP_H */
