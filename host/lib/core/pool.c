/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/core/pool.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NO_PLACE UINT32_MAX       /* end of a list of places */
#define TAKEN    (UINT32_MAX - 1) /* in `next`: the place is not free */

struct pool_chunk {
	uint64_t start;             /* device address */
	uint64_t place_bytes;       /* of each place */
	uint32_t places;            /* how many */
	uint32_t class;             /* size class; POOL_CLASSES: one large piece */
	uint32_t free;              /* first free place, or NO_PLACE */
	struct pool_chunk *another; /* next chunk of the class with free places */
	uint32_t next[];            /* of each place: the next free one, or TAKEN */
};

/** The smallest class whose places hold so many bytes; POOL_CLASSES if none does. */
static uint32_t class_of(uint64_t bytes)
{
	uint32_t class = 0;

	while (class < POOL_CLASSES && (uint64_t)POOL_PLACE << class < bytes)
		class ++;
	return class;
}

/** Index of the first chunk that starts after an address. */
static size_t find_after(const struct pool *pool, uint64_t address)
{
	size_t low = 0;
	size_t high = pool->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pool->at[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool reserve(struct pool *pool)
{
	size_t capacity = pool->capacity ? 2 * pool->capacity : 16;
	struct pool_entry *at;

	if (pool->count < pool->capacity)
		return true;
	at = realloc(pool->at, capacity * sizeof(*at));
	if (!at)
		return false;
	pool->at = at;
	pool->capacity = capacity;
	return true;
}

/** Memory for a chunk: as many places as the heap has in one piece, at most a whole chunk. */
static enum gg_status take_places(struct heap *heap, uint64_t place_bytes, uint64_t *start,
				  uint32_t *places)
{
	uint64_t most = POOL_CHUNK / place_bytes;

	for (*places = most ? (uint32_t)most : 1; *places > 0; *places /= 2) {
		if (heap_take(heap, *places * place_bytes, POOL_ALIGN, start) == GG_OK)
			return GG_OK;
	}
	return GG_ERR_NO_MEMORY;
}

static struct pool_chunk *chunk_make(uint64_t start, uint64_t place_bytes, uint32_t places,
				     uint32_t class)
{
	struct pool_chunk *chunk = calloc(1, sizeof(*chunk) + places * sizeof(chunk->next[0]));

	if (!chunk)
		return NULL;
	chunk->start = start;
	chunk->place_bytes = place_bytes;
	chunk->places = places;
	chunk->class = class;
	for (uint32_t i = 0; i < places; i++)
		chunk->next[i] = i + 1 < places ? i + 1 : NO_PLACE;
	return chunk;
}

/** Adds a chunk with free places. @return NULL: no memory. */
static struct pool_chunk *chunk_add(struct pool *pool, struct heap *heap, uint64_t bytes)
{
	uint32_t class = class_of(bytes);
	uint64_t place_bytes = class < POOL_CLASSES ? (uint64_t)POOL_PLACE << class : bytes;
	struct pool_chunk *chunk;
	uint32_t places;
	uint64_t start;
	size_t index;

	if (!reserve(pool) || take_places(heap, place_bytes, &start, &places) != GG_OK)
		return NULL;
	chunk = chunk_make(start, place_bytes, places, class);
	if (!chunk) {
		(void)heap_give(heap, start);
		return NULL;
	}
	index = find_after(pool, start);
	memmove(&pool->at[index + 1], &pool->at[index],
		(pool->count - index) * sizeof(pool->at[0]));
	pool->at[index] = (struct pool_entry){ start, chunk };
	pool->count++;
	if (class < POOL_CLASSES)
		pool->spare[class] = chunk;
	return chunk;
}

enum gg_status pool_take(struct pool *pool, struct heap *heap, uint64_t bytes, uint64_t *address)
{
	uint32_t class = class_of(bytes);
	struct pool_chunk *chunk = class < POOL_CLASSES ? pool->spare[class] : NULL;
	uint32_t place;

	if (!chunk)
		chunk = chunk_add(pool, heap, bytes);
	if (!chunk)
		return GG_ERR_NO_MEMORY;
	place = chunk->free;
	chunk->free = chunk->next[place];
	chunk->next[place] = TAKEN;
	/* Places are taken from the first chunk of the list only, so this chunk is the first. */
	if (chunk->free == NO_PLACE && class < POOL_CLASSES)
		pool->spare[class] = chunk->another;
	*address = chunk->start + place * chunk->place_bytes;
	return GG_OK;
}

static void chunk_remove(struct pool *pool, struct heap *heap, size_t index)
{
	struct pool_chunk *chunk = pool->at[index].chunk;

	pool->count--;
	memmove(&pool->at[index], &pool->at[index + 1],
		(pool->count - index) * sizeof(pool->at[0]));
	(void)heap_give(heap, chunk->start);
	free(chunk);
}

enum gg_status pool_give(struct pool *pool, struct heap *heap, uint64_t address, uint64_t *left)
{
	size_t index = find_after(pool, address);
	struct pool_chunk *chunk = index > 0 ? pool->at[index - 1].chunk : NULL;
	uint64_t place;

	*left = 0;
	if (!chunk || (address - chunk->start) % chunk->place_bytes != 0)
		return GG_ERR_ARGUMENT;
	place = (address - chunk->start) / chunk->place_bytes;
	if (place >= chunk->places || chunk->next[place] != TAKEN)
		return GG_ERR_ARGUMENT;
	if (chunk->class == POOL_CLASSES) {
		*left = chunk->place_bytes;
		chunk_remove(pool, heap, index - 1);
		return GG_OK;
	}
	if (chunk->free == NO_PLACE) {
		chunk->another = pool->spare[chunk->class];
		pool->spare[chunk->class] = chunk;
	}
	chunk->next[place] = chunk->free;
	chunk->free = (uint32_t)place;
	return GG_OK;
}

void pool_clear(struct pool *pool)
{
	for (size_t i = 0; i < pool->count; i++)
		free(pool->at[i].chunk);
	free(pool->at);
	memset(pool, 0, sizeof(*pool));
}
