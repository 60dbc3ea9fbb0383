/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of task graphs: blocks that are opened, trimmed, given back.
 * sources: firmware/cp/graph/graph_store.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/cp/graph/graph_store.h"

#define BYTES 65536u

static _Alignas(16) unsigned char memory[BYTES];

static void *open_all(uint64_t *bytes)
{
	void *block = graph_store_open(bytes);

	assert_non_null(block);
	assert_int_equal((uintptr_t)block % 16, 0);
	assert_true((unsigned char *)block + *bytes <= memory + BYTES);
	return block;
}

/* S2-Q3: one maker has all that is free; what it does not need comes back. */
static void a_block_is_trimmed(void **state)
{
	uint64_t all;
	uint64_t bytes;

	(void)state;
	graph_store_init(memory, BYTES);

	unsigned char *first = open_all(&all);

	assert_in_range(all, BYTES - 64, BYTES);
	assert_null(graph_store_open(&bytes)); /* one at a time */
	memset(first, 1, all);
	graph_store_close(first, 100);

	unsigned char *second = open_all(&bytes);

	assert_true(second >= first + 100);
	assert_in_range(bytes, all - 100 - 64, all - 100);
	graph_store_close(second, bytes);
	assert_null(graph_store_open(&bytes)); /* nothing is left */
	graph_store_free(first);
	assert_ptr_equal(open_all(&bytes), first);
	graph_store_free(first);
	graph_store_free(second);
	assert_ptr_equal(open_all(&bytes), first); /* free neighbours are one again */
	assert_int_equal(bytes, all);
}

/* Whoever waits for memory sees each time that some came free. */
static void changes_are_counted(void **state)
{
	uint64_t bytes;

	(void)state;
	graph_store_init(memory, BYTES);
	for (uint32_t change = 0; change < 10; change += 2) {
		void *block = open_all(&bytes);

		assert_int_equal(graph_store_changes(), change);
		graph_store_close(block, 100);
		assert_int_equal(graph_store_changes(), change + 1);
		graph_store_free(block);
		assert_int_equal(graph_store_changes(), change + 2);
	}
}

/* S2-Q3: without memory there is no graph; any other memory has a block, behind its header of 16 bytes. */
static void little_memory(void **state)
{
	uint64_t got;

	(void)state;
	for (uint32_t bytes = 0; bytes < 80; bytes++) {
		const uint32_t all = bytes / 16 * 16;

		graph_store_init(all == 0 ? NULL : memory, bytes);
		assert_int_equal(graph_store_largest(), all < 32 ? 0 : all - 16);
		if (all < 32) {
			assert_null(graph_store_open(&got));
		} else {
			assert_ptr_equal(open_all(&got), memory + 16);
			assert_int_equal(got, all - 16);
		}
	}
}

struct block {
	unsigned char *at;
	uint64_t bytes;
	uint64_t room; /* what it keeps of the memory, behind its header */
	unsigned char fill;
};

#define BLOCKS 16u

/* The first of the largest gaps between blocks, each of which has a header of 16 bytes: what a new block gets there, and
 * where. */
static uint64_t largest_gap(const struct block *blocks, unsigned char **at)
{
	unsigned char *from = memory;
	uint64_t most = 0;

	for (uint32_t count = 0; count <= BLOCKS && from < memory + BYTES; count++) {
		unsigned char *to = memory + BYTES;
		uint64_t room = 0;

		for (uint32_t index = 0; index < BLOCKS; index++) {
			if (blocks[index].at != NULL && blocks[index].at - 16 >= from &&
			    blocks[index].at - 16 < to) {
				to = blocks[index].at - 16;
				room = blocks[index].room;
			}
		}
		if (to - from >= 32 && (uint64_t)(to - from) - 16 > most) {
			most = (uint64_t)(to - from) - 16;
			*at = from + 16;
		}
		from = to + 16 + room;
	}
	return most;
}

static void check_and_free(struct block *block)
{
	for (uint64_t index = 0; index < block->bytes; index++) {
		assert_int_equal(block->at[index], block->fill);
	}
	graph_store_free(block->at);
	block->at = NULL;
}

/* S2-Q3, Q20: random graphs come and go; none writes into another, each gets the largest gap, and at the end all is free. */
static void random_blocks(void **state)
{
	struct block blocks[BLOCKS] = { 0 };
	uint32_t used = 0;
	uint64_t all;
	uint64_t bytes;

	(void)state;
	graph_store_init(memory, BYTES);
	graph_store_free(open_all(&all));
	srand(7);
	for (uint32_t turn = 0; turn < 20000; turn++) {
		struct block *block = &blocks[(uint32_t)rand() % BLOCKS];
		unsigned char *at = NULL;
		const uint64_t largest = largest_gap(blocks, &at);

		assert_int_equal(graph_store_largest(), largest);
		assert_int_equal(graph_store_blocks(), used);
		if (block->at != NULL) {
			check_and_free(block);
			used--;
			continue;
		}
		block->at = graph_store_open(&bytes);
		assert_ptr_equal(block->at, at);
		if (block->at != NULL) {
			assert_int_equal(bytes, largest);
			used++;
			block->bytes = (uint64_t)rand() % 9000;
			block->bytes = block->bytes < bytes ? block->bytes : bytes;
			block->room = (block->bytes + 15) / 16 * 16;
			if (bytes - block->room < 32) { /* not enough for a part of its own */
				block->room = bytes;
			}
			block->fill = (unsigned char)turn;
			memset(block->at, block->fill, block->bytes);
			graph_store_close(block->at, block->bytes);
		}
	}
	for (uint32_t index = 0; index < BLOCKS; index++) {
		if (blocks[index].at != NULL) {
			check_and_free(&blocks[index]);
		}
	}
	(void)open_all(&bytes);
	assert_int_equal(bytes, all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_is_trimmed),
		cmocka_unit_test(changes_are_counted),
		cmocka_unit_test(little_memory),
		cmocka_unit_test(random_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
