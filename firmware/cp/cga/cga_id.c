/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/cga/cga_id.h"

#include <assert.h>

#include "firmware/cp/base/bits.h"

#define WORDS (CP_CGA_IDS / 32u)

/** A pool of ids. */
struct pool {
	uint32_t used[WORDS]; /* bit i: id i is in use */
	uint32_t free;        /* ids below the limit that are not in use */
};

static struct pool pools[CGA_ID_POOLS];
static uint32_t limit;     /* number of ids of each pool */
static uint32_t exhausted; /* bit g: GPC g's pool has no free id */

_Static_assert(CP_CGA_IDS % 32u == 0, "the bitmap of a pool is whole words");

static void note(uint32_t pool)
{
	if (pool >= CGA_ID_GPCS) {
		return;
	}
	if (pools[pool].free == 0) {
		exhausted |= 1u << pool;
	} else {
		exhausted &= ~(1u << pool);
	}
}

/* The bits of a word of a pool that are ids below the limit. */
static uint32_t within(uint32_t word)
{
	const uint32_t ids = limit > word * 32 ? limit - word * 32 : 0;

	return bits_ones(ids < 32 ? ids : 32);
}

void cga_id_set_limit(uint32_t ids)
{
	assert(ids >= 1 && ids <= CP_CGA_IDS);
	limit = ids;
	for (uint32_t pool = 0; pool < CGA_ID_POOLS; pool++) {
		pools[pool].free = 0;
		for (uint32_t word = 0; word < WORDS; word++) {
			pools[pool].free += bits_count(within(word) & ~pools[pool].used[word]);
		}
		note(pool);
	}
}

void cga_id_init(void)
{
	for (uint32_t pool = 0; pool < CGA_ID_POOLS; pool++) {
		pools[pool] = (struct pool){ 0 };
	}
	cga_id_set_limit(CP_CGA_IDS);
}

uint32_t cga_id_limit(void)
{
	return limit;
}

uint32_t cga_id_free(uint32_t pool)
{
	return pools[pool].free;
}

uint32_t cga_id_exhausted(void)
{
	return exhausted;
}

uint32_t cga_id_take(uint32_t pool)
{
	uint32_t *used = pools[pool].used;
	uint32_t word = 0;

	BITS_ASSERT(pools[pool].free != 0);
	while (used[word] == UINT32_MAX) { /* terminates: an id is free */
		word++;
	}
	const uint32_t id = word * 32 + bits_lowest(~used[word]);

	bits_set(used, id);
	pools[pool].free--;
	note(pool);
	return id;
}

void cga_id_give(uint32_t pool, uint32_t id)
{
	BITS_ASSERT(bits_has(pools[pool].used, id));
	bits_clear(pools[pool].used, id);
	if (id < limit) {
		pools[pool].free++;
		note(pool);
	}
}
