/* SPDX-License-Identifier: Apache-2.0 */
/* Pass commands of graph programs, and what is declared and prepared for them.
 * sources: firmware/graph/op.c firmware/graph/code_open.c firmware/graph/verify.c
 * firmware/graph/code.c firmware/graph/construct.c firmware/graph/compute.c
 * firmware/graph/build.c firmware/graph/draft.c firmware/graph/draft_end.c
 * tests/unit/fake_program.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_program.h"

#define OP(name) GG_GRAPH_OP_##name

static struct fake_program program;

static uint32_t step(enum gg_graph_op op, uint32_t a, uint32_t b, uint32_t c, uint32_t imm)
{
	return fake_step(&program, op, a, b, c, imm);
}

/* Resources 0 to 3 are named; integer 1 is 12. */
static void begin(void)
{
	fake_begin(&program);
	fake_name_resources(&program, 4);
	step(OP(SET), 1, 0, 0, 12);
	step(OP(STATE), 0, 0, 0, 2);
}

static void finish(void)
{
	step(OP(END), 0, 0, 0, 0);
	fake_make_well(&program);
}

static void expect_argument(uint32_t number, struct graph_value expected)
{
	const struct graph_value *const value = fake_value(fake_command(0, 0), number);

	assert_int_equal(value->op, expected.op);
	assert_int_equal(value->bytes, expected.bytes);
	assert_int_equal(value->from, expected.from);
	assert_int_equal(value->number, expected.number);
	assert_int_equal(value->offset, expected.offset);
}

/* S2-R23, S2-R25, S2-R29, S2-A9: arguments of every kind, in their order, for the next DISPATCH
 * alone. */
static void arguments_are_those_of_one_dispatch(void **state)
{
	(void)state;
	begin();
	step(OP(READ), R(2), 0, 0, 0);
	step(OP(VALUE), 1, 0, 4, 0);
	step(OP(CONST), 0, 0, 8, 0xfffffffe);
	step(OP(PARAMETER), 0, 0, 8, 1);
	step(OP(ADDRESS), R(2), 1, 0, 0);
	step(OP(ADDRESS), R(2), NONE, 0, 40);
	step(OP(DISPATCH), 0, 0, 0, 0);
	step(OP(DISPATCH), 0, 0, 0, 0);
	finish();
	assert_int_equal(fake_command(0, 0)->values, 5);
	expect_argument(0, (struct graph_value){ OP(CONST), 4, 0, 12, 0 });
	expect_argument(1, (struct graph_value){ OP(CONST), 8, 0, 0xfffffffe, 0 });
	expect_argument(2, (struct graph_value){ OP(PARAMETER), 8, 1, 0, 0 });
	expect_argument(3, (struct graph_value){ OP(ADDRESS), 8, 0, 2, 12 });
	expect_argument(4, (struct graph_value){ OP(ADDRESS), 8, 0, 2, 40 });
	assert_int_equal(fake_command(1, 0)->values, 0);
	assert_int_equal(fake_command(1, 0)->state, 2);
}

static void expect_command(uint32_t pass, enum gg_graph_op op, uint32_t a, uint32_t b, uint32_t c)
{
	const struct graph_command *const command = fake_command(pass, 0);

	assert_int_equal(command->op, op);
	assert_int_equal(command->a, a);
	assert_int_equal(command->b, b);
	assert_int_equal(command->c, c);
}

/* S2-R25, S2-R29: a grid is that of the next DISPATCH alone; sizes that are left out are 1. */
static void grids_are_those_of_one_dispatch(void **state)
{
	(void)state;
	begin();
	step(OP(SET), 2, 0, 0, 0xffffffff);
	step(OP(SET), 3, 0, 0, 65535);
	step(OP(GRID), 2, 3, 1, 0);
	step(OP(DISPATCH), 0, 0, 0, 0);
	step(OP(DISPATCH), 0, 0, 0, 0);
	step(OP(GRID), NONE, NONE, 1, 0);
	step(OP(DISPATCH), 0, 0, 0, 0);
	finish();
	expect_command(0, OP(DISPATCH), 0xffffffff, 65535, 12);
	expect_command(1, OP(DISPATCH), 0, 0, 0);
	expect_command(2, OP(DISPATCH), 1, 1, 12);
}

/* S2-R29, S2-R30, S2-R31, S2-A9: copies, fills, signals and fences are pass commands: each makes a
 * block. */
static void every_command_makes_a_block(void **state)
{
	(void)state;
	begin();
	step(OP(READ), R(0), 0, 0, 0);
	step(OP(WRITE), R(3), 0, 0, 0);
	step(OP(COPY), R(3), R(0), 1, 0);
	step(OP(SHARE), R(3), 0, 0, 0);
	step(OP(FILL), R(3), 1, NONE, FAKE_BYTES);
	step(OP(WRITE), R(2), 0, 0, 0);
	step(OP(SIGNAL), R(2), 1, 0, FAKE_BYTES - 4);
	step(OP(FENCE), 0, 0, 0, 0);
	step(OP(WRITE), R(2), 0, 0, 0);
	step(OP(FILL), R(2), 1, 1, 0);
	finish();
	assert_int_equal(made.graph->pass.used, 5);
	expect_command(0, OP(COPY), 3, 0, 12);
	expect_command(1, OP(FILL), 3, 12, FAKE_BYTES);
	expect_command(2, OP(SIGNAL), 2, 12, FAKE_BYTES - 4);
	expect_command(3, OP(FENCE), 0, 0, 0);
	expect_command(4, OP(FILL), 2, 12, 12);
}

static uint32_t after_of(uint32_t pass)
{
	const struct graph_pass *const one = &made.graph->passes[pass];

	for (uint32_t i = 0; i < one->accesses; i++) {
		const struct graph_access *const access =
			&made.graph->accesses[one->first_access + i];

		if (access->use == GRAPH_USE_AFTER) {
			return access->version;
		}
	}
	return GRAPH_NONE;
}

/* S2-R31: passes are forced into an order by number: that of NEXT, or one that follows later. */
static void passes_wait_for_numbers(void **state)
{
	(void)state;
	begin();
	step(OP(FENCE), 0, 0, 0, 0);
	step(OP(NEXT), 2, 0, 0, 0);
	step(OP(AFTERI), 0, 0, 0, 2);
	step(OP(FENCE), 0, 0, 0, 0);
	step(OP(FENCE), 0, 0, 0, 0);
	step(OP(AFTER), 2, 0, 0, 0);
	step(OP(FENCE), 0, 0, 0, 0);
	finish();
	assert_int_equal(after_of(0), GRAPH_NONE);
	assert_int_equal(after_of(1), 2);
	assert_int_equal(after_of(2), GRAPH_NONE);
	assert_int_equal(after_of(3), 1);
	assert_true(made.graph->forward);
}

/* S2-R21, S2-R25: needs and sizes are values of the program. */
static void needs_and_sizes_are_values(void **state)
{
	(void)state;
	begin();
	program.resources[FAKE_TRANSIENT].bytes_lo = 0;
	step(OP(RESOURCE), R(6), 0, 0, FAKE_TRANSIENT);
	step(OP(SIZE), R(6), 1, 0, 0);
	step(OP(NEED), 0, 1, GG_GRAPH_NEED_BANDWIDTH, 0);
	step(OP(WRITE), R(6), 0, 0, 0);
	step(OP(DISPATCH), 0, 0, 0, 0);
	step(OP(FENCE), 0, 0, 0, 0);
	finish();
	assert_int_equal(made.graph->resources[FAKE_TRANSIENT].bytes, 12);
	assert_int_equal(made.graph->passes[0].needs[GG_GRAPH_NEED_BANDWIDTH], 12);
	assert_int_equal(made.graph->passes[0].needs[GG_GRAPH_NEED_USER], 0);
	assert_int_equal(made.graph->passes[1].needs[GG_GRAPH_NEED_BANDWIDTH], 0);
}

/* S2-R45, S2-Q22: what is refused half way leaves a graph that does not count; the program runs
 * again as if nothing had been. */
static void refused_programs_leave_nothing(void **state)
{
	uint32_t bad;

	(void)state;
	begin();
	fake_pass(&program, 0, 1);
	bad = step(OP(DIV), 0, 1, 2, 0);
	fake_pass(&program, 1, 2);
	step(OP(END), 0, 0, 0, 0);
	fake_assert(fake_make(&program), GG_ERR_GRAPH_DATA, GG_FIELD_GRAPH_STEP_C, bad);
	assert_false(made.machine.over);
	program.steps[bad] = (struct gg_graph_step){ OP(NEXT), 0 };
	fake_make_well(&program);
	assert_int_equal(made.graph->pass.used, 2);
	assert_int_equal(made.machine.variables[0], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_are_those_of_one_dispatch),
		cmocka_unit_test(grids_are_those_of_one_dispatch),
		cmocka_unit_test(every_command_makes_a_block),
		cmocka_unit_test(passes_wait_for_numbers),
		cmocka_unit_test(needs_and_sizes_are_values),
		cmocka_unit_test(refused_programs_leave_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
