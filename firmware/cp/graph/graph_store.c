/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/graph/graph_store.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#define ALIGN 16u /* bytes */

/** Header of each part of the memory, in use or free. The next part follows directly. */
struct memory_part {
	uint64_t bytes; /* of the part, this header included */
	uint64_t used;  /* 0: it is free */
};

_Static_assert(sizeof(struct memory_part) == ALIGN, "blocks stay aligned");

static unsigned char *memory; /* all of it; parts follow each other */
static uint64_t memory_bytes;
static struct memory_part *open_part; /* of the block that is open, or NULL */
static uint32_t blocks;               /* blocks in use */
static uint32_t changes;              /* graph_store_changes() */

void graph_store_init(void *from, uint64_t bytes)
{
	memory = from;
	memory_bytes = bytes / ALIGN * ALIGN;
	open_part = NULL;
	blocks = 0;
	changes = 0;
	if (memory_bytes != 0) {
		*(struct memory_part *)(void *)memory =
			(struct memory_part){ .bytes = memory_bytes };
	}
}

static struct memory_part *part_after(struct memory_part *part)
{
	unsigned char *next = (unsigned char *)part + (uintptr_t)part->bytes;

	return next < memory + (uintptr_t)memory_bytes ? (struct memory_part *)(void *)next : NULL;
}

static struct memory_part *first_part(void)
{
	return memory_bytes != 0 ? (struct memory_part *)(void *)memory : NULL;
}

/* Joins free neighbours. It looks at all parts, which are few: about one for each graph. */
static void join_free(void)
{
	for (struct memory_part *part = first_part(); part != NULL; part = part_after(part)) {
		struct memory_part *next = part_after(part);

		while (part->used == 0 && next != NULL && next->used == 0) {
			part->bytes += next->bytes;
			next = part_after(part);
		}
	}
}

bool graph_store_is_open(void)
{
	return open_part != NULL;
}

uint32_t graph_store_blocks(void)
{
	return blocks;
}

uint32_t graph_store_changes(void)
{
	return changes;
}

static struct memory_part *largest_part(void)
{
	struct memory_part *best = NULL;

	for (struct memory_part *part = first_part(); part != NULL; part = part_after(part)) {
		if (part->used == 0 && part->bytes > sizeof(*part) &&
		    (best == NULL || part->bytes > best->bytes)) {
			best = part;
		}
	}
	return best;
}

uint64_t graph_store_largest(void)
{
	const struct memory_part *best = largest_part();

	return best != NULL ? best->bytes - sizeof(*best) : 0;
}

void *graph_store_open(uint64_t *bytes)
{
	struct memory_part *best = open_part == NULL ? largest_part() : NULL;

	if (best == NULL) {
		return NULL;
	}
	blocks++;
	best->used = 1;
	open_part = best;
	*bytes = best->bytes - sizeof(*best);
	return best + 1;
}

void graph_store_close(void *block, uint64_t used)
{
	struct memory_part *part = (struct memory_part *)block - 1;
	const uint64_t kept = sizeof(*part) + (used + ALIGN - 1) / ALIGN * ALIGN;

	assert(part == open_part && kept <= part->bytes);
	open_part = NULL;
	changes++;
	if (part->bytes - kept >= 2 * sizeof(*part)) {
		const uint64_t rest = part->bytes - kept;

		part->bytes = kept;
		*part_after(part) = (struct memory_part){ .bytes = rest };
		join_free();
	}
}

void graph_store_free(void *block)
{
	struct memory_part *part = (struct memory_part *)block - 1;

	if (part == open_part) {
		open_part = NULL;
	}
	part->used = 0;
	blocks--;
	changes++;
	join_free();
}
