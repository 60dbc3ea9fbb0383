/* SPDX-License-Identifier: Apache-2.0 */
/* The device of graph_storm.h: with a pool and memory for graphs of any size, and empty in the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/graph/graph.h"
#include "firmware/cp/graph/graph_kept.h"
#include "firmware/cp/graph/graph_store.h"
#include "firmware/cp/start/pool.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/graph_storm.h"
#include "tests/unit/graph_storm_kept.h"

static unsigned char *memory;

void storm_device(uint32_t tasks, uint32_t store_bytes)
{
	fake_device_init(8);
	const uint64_t memory_bytes = (uint64_t)tasks * pool_bytes_of_a_task();
	free(memory);
	memory = aligned_alloc(4096, (memory_bytes + store_bytes + 8191) / 4096 * 4096);
	assert_non_null(memory);
	pool_init(memory, memory_bytes);
	graph_init(memory + (memory_bytes + 4095) / 4096 * 4096, store_bytes);
}

void storm_expect_nothing_left(void)
{
	kept_free_all();
	assert_int_equal(graph_kept_count(), 0);
	assert_int_equal(graph_store_blocks(), 0);
	assert_int_equal(task_pool_free(), task_pool_capacity());
	assert_int_equal(device.perf->tasks_accepted, device.perf->tasks_completed);
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		assert_int_equal(device.slots[slot].state, GG_SLOT_STATE_FREE);
	}
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		assert_int_equal(device.sms[sm].free_ctas, device.resources.ctas);
		assert_int_equal(device.sms[sm].free_units, 0xffffffffu);
	}
	free(memory);
	memory = NULL;
}
