/* SPDX-License-Identifier: Apache-2.0 */
/* What the control processor itself does for the commands of passes: copies, fills, signals, argument blocks, grids.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_graph.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_graph.h"
#include "tests/unit/fake_run.h"

#define OP(name) GG_GRAPH_OP_##name
#define BYTES    20000u
#define IMM      255u

enum {
	TO = 40,
	FROM = 41,
	VALUE = 1
}; /* variables */

static struct fake_graph graph;
static uint32_t to, from; /* resources */
static unsigned char *to_bytes, *from_bytes;

static unsigned char *bytes_of(uint32_t resource)
{
	return fake_at(graph.resources[resource].address_lo);
}

/* Two buffers, and a pass that reads one and writes the other. */
static void begin(void)
{
	fake_graph_fresh(&graph, 8, 1);
	to = fake_graph_buffer(&graph, BYTES);
	from = fake_graph_buffer(&graph, BYTES);
	to_bytes = bytes_of(to);
	from_bytes = bytes_of(from);
	for (uint32_t index = 0; index < BYTES; index++) {
		from_bytes[index] = (unsigned char)(index % 251 + 1);
		to_bytes[index] = 0xee;
	}
	fake_graph_use(&graph, OP(READ), from);
	fake_graph_use(&graph, OP(WRITE), to);
	fake_graph_step(&graph, OP(RESOURCE), TO, 0, 0, to);
	fake_graph_step(&graph, OP(RESOURCE), FROM, 0, 0, from);
	fake_graph_step(&graph, OP(SET), VALUE, 0, 0, 0x44332211);
}

/* The TMD of the only task in the slots. */
static const struct gg_tmd *running(void)
{
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		if (device.slots[slot].state != GG_SLOT_STATE_FREE) {
			return (const struct gg_tmd *)(uintptr_t)gg_join(device.slots[slot].tmd_lo,
									 device.slots[slot].tmd_hi);
		}
	}
	fail();
	return NULL;
}

static uint64_t argument(uint32_t offset, uint32_t bytes)
{
	const unsigned char *block = fake_at(running()->args_lo);
	uint64_t value = 0;

	assert_in_range(running()->args_lo, graph.space, graph.space + 64u * 256u - 1);
	memcpy(&value, block + offset, bytes);
	return value;
}

/* S2-R29: a few bytes are copied and filled without a kernel: so many, and the bytes of the value in their order. */
static void small_moves(void **state)
{
	static const uint32_t sizes[] = { 1, 2, 3, 4, 7, 100, 4095, 4096 };

	(void)state;
	for (uint32_t size = 0; size < sizeof(sizes) / sizeof(sizes[0]); size++) {
		const uint32_t bytes = sizes[size];

		begin();
		fake_graph_step(&graph, OP(COPY), TO, FROM, IMM, bytes);
		fake_graph_run(&graph, 1);
		fake_expect(1, GG_OK);
		assert_memory_equal(to_bytes, from_bytes, bytes);
		assert_int_equal(to_bytes[bytes], 0xee);
		begin();
		fake_graph_step(&graph, OP(FILL), TO, VALUE, IMM, bytes);
		fake_graph_run(&graph, 1);
		fake_expect(1, GG_OK);
		for (uint32_t index = 0; index < bytes; index++) {
			assert_int_equal(to_bytes[index], 0x11 * (index % 4 + 1));
		}
		assert_int_equal(to_bytes[bytes], 0xee);
	}
}

/* S2-R29: more bytes are a grid of the kernel that the program names, with a CTA for each 4,096 bytes and the rest, and
 * what to move as its arguments. */
static void large_moves(void **state)
{
	static const uint32_t sizes[][2] = {
		{ 4097, 2 }, { 8191, 2 }, { 8192, 2 }, { 8193, 3 }, { 20000, 5 },
	};

	(void)state;
	for (uint32_t size = 0; size < sizeof(sizes) / sizeof(sizes[0]); size++) {
		const uint32_t bytes = sizes[size][0];

		begin();
		graph.moves = true;
		fake_graph_step(&graph, OP(COPY), TO, FROM, IMM, bytes);
		fake_graph_run(&graph, 1);
		assert_int_equal(running()->args_bytes, 20);
		assert_int_equal(argument(0, 8), graph.resources[to].address_lo);
		assert_int_equal(argument(8, 8), graph.resources[from].address_lo);
		assert_int_equal(argument(16, 4), bytes);
		assert_int_equal(fake_take_all(), sizes[size][1]);
		fake_finish();
		begin();
		graph.moves = true;
		fake_graph_step(&graph, OP(FILL), TO, VALUE, IMM, bytes);
		fake_graph_run(&graph, 1);
		assert_int_equal(running()->args_bytes, 16);
		assert_int_equal(argument(0, 8), graph.resources[to].address_lo);
		assert_int_equal(argument(8, 4), 0x44332211);
		assert_int_equal(argument(12, 4), bytes);
		assert_int_equal(fake_take_all(), sizes[size][1]);
		fake_finish();
	}
}

/* Without such a kernel the pass fails, whichever of the two it is. */
static void no_kernel(void **state)
{
	(void)state;
	for (uint32_t fill = 0; fill < 2; fill++) {
		begin();
		fake_graph_step(&graph, fill != 0 ? OP(FILL) : OP(COPY), TO,
				fill != 0 ? VALUE : FROM, IMM, 4097);
		fake_graph_run(&graph, 1);
		fake_expect(1, GG_ERR_GRAPH_DATA);
		assert_int_equal(to_bytes[0], 0xee);
	}
}

/* S2-R31: a signal is one word. */
static void signals(void **state)
{
	(void)state;
	begin();
	fake_graph_step(&graph, OP(SIGNAL), TO, VALUE, 0, 8);
	fake_graph_step(&graph, OP(FENCE), 0, 0, 0, 0);
	fake_graph_run(&graph, 1);
	fake_expect(1, GG_OK);
	assert_int_equal(to_bytes[7], 0xee);
	assert_memory_equal(to_bytes + 8, "\x11\x22\x33\x44", 4);
	assert_int_equal(to_bytes[12], 0xee);
}

/* S2-R29: arguments in their order, each aligned to its size; a dispatch without any has no block. */
static void arguments(void **state)
{
	(void)state;
	begin();
	graph.arguments[0] = 0x8877665544332211;
	graph.argument_count = 1;
	fake_graph_step(&graph, OP(STATE), 0, 0, 0, 0);
	fake_graph_step(&graph, OP(VALUE), VALUE, 0, 4, 0);
	fake_graph_step(&graph, OP(CONST), 0, 0, 8, (uint32_t)-2);
	fake_graph_step(&graph, OP(PARAMETER), 0, 0, 4, 0);
	fake_graph_step(&graph, OP(PARAMETER), 0, 0, 8, 0);
	fake_graph_step(&graph, OP(ADDRESS), TO, IMM, 0, 12);
	fake_graph_step(&graph, OP(DISPATCH), 0, 0, 0, 0);
	fake_graph_run(&graph, 1);
	assert_int_equal(running()->args_bytes, 40);
	assert_int_equal(argument(0, 4), 0x44332211);
	assert_true(argument(8, 8) == (uint64_t)-2);
	assert_int_equal(argument(16, 4), 0x44332211);
	assert_true(argument(24, 8) == graph.arguments[0]);
	assert_int_equal(argument(32, 8), graph.resources[to].address_lo + 12);
	fake_finish();
	begin();
	fake_graph_step(&graph, OP(STATE), 0, 0, 0, 0);
	fake_graph_step(&graph, OP(DISPATCH), 0, 0, 0, 0);
	fake_graph_run(&graph, 1);
	assert_int_equal(running()->args_bytes, 0);
	assert_int_equal(running()->args_lo, 0);
	fake_finish();
}

/* S2-R29, S2-Q22: as many CTAs along y and z as a TMD can say, and no more. */
static void large_grids(void **state)
{
	(void)state;
	for (uint32_t large = 0; large < 2; large++) {
		for (uint32_t axis = 1; axis < 3; axis++) {
			const uint32_t kernel = fake_graph_fresh(&graph, 4, 1);

			fake_graph_step(&graph, OP(SET), VALUE, 0, 0, 65535 + large);
			fake_graph_step(&graph, OP(STATE), 0, 0, 0, kernel);
			fake_graph_step(&graph, OP(GRID), IMM, axis == 1 ? VALUE : IMM,
					axis == 2 ? VALUE : IMM, 0);
			fake_graph_step(&graph, OP(DISPATCH), 0, 0, 0, 0);
			fake_graph_run(&graph, 1);
			if (large != 0) {
				fake_graph_refused(GG_ERR_GRID_OVERFLOW,
						   axis == 1 ? GG_FIELD_GRAPH_STEP_B
							     : GG_FIELD_GRAPH_STEP_C,
						   2);
				continue;
			}
			assert_int_equal(fake_take_all(), 32);
			assert_int_equal(running()->grid_x, 1);
			assert_int_equal(running()->grid_yz,
					 axis == 1 ? 1 << 16 | 65535 : 65535u << 16 | 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_moves), cmocka_unit_test(large_moves),
		cmocka_unit_test(no_kernel),   cmocka_unit_test(signals),
		cmocka_unit_test(arguments),   cmocka_unit_test(large_grids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
