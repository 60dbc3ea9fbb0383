/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/core/heap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define GRAIN 16u

/** Index of the first range that starts at or after an address. */
static size_t ranges_find(const struct ranges *ranges, uint64_t start)
{
	size_t low = 0;
	size_t high = ranges->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->at[middle].start < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/** Makes room for one more range, so that ranges_insert() cannot fail. */
static bool ranges_reserve(struct ranges *ranges)
{
	size_t capacity = ranges->capacity ? 2 * ranges->capacity : 16;
	struct range *at;

	if (ranges->count < ranges->capacity)
		return true;
	at = realloc(ranges->at, capacity * sizeof(*at));
	if (!at)
		return false;
	ranges->at = at;
	ranges->capacity = capacity;
	return true;
}

static void ranges_insert(struct ranges *ranges, size_t index, uint64_t start, uint64_t bytes)
{
	struct range *at = &ranges->at[index];

	memmove(at + 1, at, (ranges->count - index) * sizeof(*at));
	at->start = start;
	at->bytes = bytes;
	ranges->count++;
}

static void ranges_remove(struct ranges *ranges, size_t index)
{
	struct range *at = &ranges->at[index];

	ranges->count--;
	memmove(at, at + 1, (ranges->count - index) * sizeof(*at));
}

/** Adds a range to the spare ones and joins it with its neighbours. There is room for one more. */
static void spare_join(struct ranges *spare, uint64_t start, uint64_t bytes)
{
	size_t next = ranges_find(spare, start);

	if (next < spare->count && start + bytes == spare->at[next].start) {
		bytes += spare->at[next].bytes;
		ranges_remove(spare, next);
	}
	if (next > 0 && spare->at[next - 1].start + spare->at[next - 1].bytes == start)
		spare->at[next - 1].bytes += bytes;
	else
		ranges_insert(spare, next, start, bytes);
}

enum gg_status heap_add(struct heap *heap, uint64_t start, uint64_t bytes)
{
	if (!ranges_reserve(&heap->spare))
		return GG_ERR_NO_MEMORY;
	spare_join(&heap->spare, start, bytes);
	return GG_OK;
}

/** Whether a range has enough bytes behind the first aligned address in it. Sets the bytes to skip.
 */
static bool range_fits(const struct range *range, uint64_t bytes, uint64_t align, uint64_t *skip)
{
	*skip = (align - range->start % align) % align;
	return *skip <= range->bytes && range->bytes - *skip >= bytes;
}

/** Cuts [skip, skip + bytes) out of a spare range; there is room for one more range. */
static void spare_cut(struct ranges *spare, size_t index, uint64_t skip, uint64_t bytes)
{
	struct range whole = spare->at[index];
	uint64_t rest = whole.bytes - skip - bytes;

	ranges_remove(spare, index);
	if (rest > 0)
		ranges_insert(spare, index, whole.start + skip + bytes, rest);
	if (skip > 0)
		ranges_insert(spare, index, whole.start, skip);
}

enum gg_status heap_take(struct heap *heap, uint64_t bytes, uint64_t align, uint64_t *address)
{
	uint64_t skip;

	if (bytes > UINT64_MAX - GRAIN || !ranges_reserve(&heap->spare) ||
	    !ranges_reserve(&heap->taken))
		return GG_ERR_NO_MEMORY;
	bytes = bytes == 0 ? GRAIN : (bytes + GRAIN - 1) / GRAIN * GRAIN;
	align = align < GRAIN ? GRAIN : align;
	for (size_t i = 0; i < heap->spare.count; i++) {
		if (!range_fits(&heap->spare.at[i], bytes, align, &skip))
			continue;
		*address = heap->spare.at[i].start + skip;
		spare_cut(&heap->spare, i, skip, bytes);
		if (*address + bytes > heap->high)
			heap->high = *address + bytes;
		ranges_insert(&heap->taken, ranges_find(&heap->taken, *address), *address, bytes);
		return GG_OK;
	}
	return GG_ERR_NO_MEMORY;
}

enum gg_status heap_give(struct heap *heap, uint64_t address)
{
	size_t index = ranges_find(&heap->taken, address);
	uint64_t bytes;

	if (index == heap->taken.count || heap->taken.at[index].start != address)
		return GG_ERR_ARGUMENT;
	if (!ranges_reserve(&heap->spare))
		return GG_ERR_NO_MEMORY;
	bytes = heap->taken.at[index].bytes;
	ranges_remove(&heap->taken, index);
	spare_join(&heap->spare, address, bytes);
	return GG_OK;
}

static uint64_t ranges_bytes(const struct ranges *ranges)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < ranges->count; i++)
		bytes += ranges->at[i].bytes;
	return bytes;
}

uint64_t heap_free_bytes(const struct heap *heap)
{
	return ranges_bytes(&heap->spare);
}

uint64_t heap_taken_bytes(const struct heap *heap)
{
	return ranges_bytes(&heap->taken);
}

uint64_t heap_largest(const struct heap *heap)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < heap->spare.count; i++) {
		if (heap->spare.at[i].bytes > bytes)
			bytes = heap->spare.at[i].bytes;
	}
	return bytes;
}

void heap_clear(struct heap *heap)
{
	free(heap->spare.at);
	free(heap->taken.at);
	memset(heap, 0, sizeof(*heap));
}
