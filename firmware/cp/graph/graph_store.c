/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/graph/graph_store.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#define ALIGN 16u

/** What stands before each part of the memory, in use or not; the next one follows its bytes. */
struct part {
	uint64_t bytes; /* with this header */
	uint64_t used;  /* 0: it is free */
};

_Static_assert(sizeof(struct part) == ALIGN, "blocks stay aligned");

static unsigned char *memory;
static uint64_t memory_bytes;
static struct part *open_part; /* of the block that is open, or NULL */
static uint32_t blocks;        /* in use */
static uint32_t changes;       /* graph_store_changes() */

void graph_store_init(void *from, uint64_t bytes)
{
	memory = from;
	memory_bytes = bytes / ALIGN * ALIGN;
	open_part = NULL;
	blocks = 0;
	changes = 0;
	if (memory_bytes >= 2 * sizeof(struct part)) {
		*(struct part *)(void *)memory = (struct part){ .bytes = memory_bytes };
	} else {
		memory_bytes = 0;
	}
}

static struct part *part_after(struct part *part)
{
	unsigned char *next = (unsigned char *)part + (uintptr_t)part->bytes;

	return next < memory + (uintptr_t)memory_bytes ? (struct part *)(void *)next : NULL;
}

static struct part *first_part(void)
{
	return memory_bytes != 0 ? (struct part *)(void *)memory : NULL;
}

/* Free neighbours become one; there are few parts: one a graph. */
static void join_free(void)
{
	for (struct part *part = first_part(); part != NULL; part = part_after(part)) {
		struct part *next = part_after(part);

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

static struct part *largest_part(void)
{
	struct part *best = NULL;

	for (struct part *part = first_part(); part != NULL; part = part_after(part)) {
		if (part->used == 0 && part->bytes > sizeof(*part) &&
		    (best == NULL || part->bytes > best->bytes)) {
			best = part;
		}
	}
	return best;
}

uint64_t graph_store_largest(void)
{
	const struct part *best = largest_part();

	return best != NULL ? best->bytes - sizeof(*best) : 0;
}

void *graph_store_open(uint64_t *bytes)
{
	struct part *best = open_part == NULL ? largest_part() : NULL;

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
	struct part *part = (struct part *)block - 1;
	const uint64_t kept = sizeof(*part) + (used + ALIGN - 1) / ALIGN * ALIGN;

	assert(part == open_part && kept <= part->bytes);
	open_part = NULL;
	changes++;
	if (part->bytes - kept >= 2 * sizeof(*part)) {
		const uint64_t rest = part->bytes - kept;

		part->bytes = kept;
		*part_after(part) = (struct part){ .bytes = rest };
		join_free();
	}
}

void graph_store_free(void *block)
{
	struct part *part = (struct part *)block - 1;

	if (part == open_part) {
		open_part = NULL;
	}
	part->used = 0;
	blocks--;
	changes++;
	join_free();
}
