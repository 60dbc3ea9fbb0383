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

/* S2-Q3: without memory there is no graph. */
static void no_memory(void **state)
{
	uint64_t bytes;

	(void)state;
	graph_store_init(memory, 0);
	assert_null(graph_store_open(&bytes));
	graph_store_init(memory, 16);
	assert_null(graph_store_open(&bytes));
}

struct block {
	unsigned char *at;
	uint64_t bytes;
	unsigned char fill;
};

static void check_and_free(struct block *block)
{
	for (uint64_t index = 0; index < block->bytes; index++) {
		assert_int_equal(block->at[index], block->fill);
	}
	graph_store_free(block->at);
	block->at = NULL;
}

/* S2-Q3, Q20: random graphs come and go; none writes into another, and at the end all is free. */
static void random_blocks(void **state)
{
	struct block blocks[16] = { 0 };
	uint64_t all;
	uint64_t bytes;

	(void)state;
	graph_store_init(memory, BYTES);
	graph_store_free(open_all(&all));
	srand(7);
	for (uint32_t turn = 0; turn < 20000; turn++) {
		struct block *block = &blocks[(uint32_t)rand() % 16];

		if (block->at != NULL) {
			check_and_free(block);
			continue;
		}
		block->at = graph_store_open(&bytes);
		if (block->at != NULL) {
			block->bytes = (uint64_t)rand() % 9000;
			block->bytes = block->bytes < bytes ? block->bytes : bytes;
			block->fill = (unsigned char)turn;
			memset(block->at, block->fill, block->bytes);
			graph_store_close(block->at, block->bytes);
		}
	}
	for (uint32_t index = 0; index < 16; index++) {
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
		cmocka_unit_test(no_memory),
		cmocka_unit_test(random_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
