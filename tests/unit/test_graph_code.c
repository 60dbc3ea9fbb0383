/* SPDX-License-Identifier: Apache-2.0 */
/* Graph programs make graphs: the worked examples of both formats, loops, blocks.
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
#define IN       R(6) /* formal parameters of definitions */
#define OUT      R(7)
#define ZERO     7u /* an integer that is never set */

static struct fake_program program;

static uint32_t step(enum gg_graph_op op, uint32_t a, uint32_t b, uint32_t c, uint32_t imm)
{
	return fake_step(&program, op, a, b, c, imm);
}

static void invoke(uint32_t definition, uint32_t from, uint32_t to)
{
	step(OP(MOVE), IN, R(from), 0, 0);
	step(OP(MOVE), OUT, R(to), 0, 0);
	step(OP(INVOKE), 0, 0, 0, definition);
}

/* A definition of a pass from IN to OUT that runs a state so often. */
static uint32_t define(uint32_t state, uint32_t dispatches)
{
	const uint32_t first = step(OP(READ), IN, 0, 0, 0);

	step(OP(WRITE), OUT, 0, 0, 0);
	step(OP(STATE), 0, 0, 0, state);
	for (uint32_t i = 0; i < dispatches; i++) {
		step(OP(DISPATCH), 0, 0, 0, 0);
	}
	return fake_define(&program, first);
}

static void expect_counts(uint32_t passes, uint32_t resources, uint32_t edges)
{
	assert_int_equal(made.graph->pass.used, passes);
	assert_int_equal(made.graph->resources_used, resources);
	assert_int_equal(made.graph->reads + made.graph->writes, edges);
}

static void expect_pass(uint32_t pass, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < FAKE_RESOURCES; i++) {
		assert_int_equal(fake_reads(pass, i), i == from);
		assert_int_equal(fake_writes(pass, i), i == to);
	}
}

/* Table 1: R1, R2, R3 are resources 0, 1, 2; conditions A and B are arguments 0 and 1. */
static void make_table_1(uint64_t a, uint64_t b)
{
	uint32_t skip;

	fake_begin(&program);
	fake_name_resources(&program, 3);
	step(OP(ARGUMENT), 0, 0, 0, 0);
	step(OP(ARGUMENT), 1, 0, 0, 1);
	invoke(0, 0, 1);
	skip = step(OP(JEQ), 0, ZERO, 0, 0);
	invoke(1, 1, 2);
	fake_land(&program, skip);
	skip = step(OP(JEQ), 1, ZERO, 0, 0);
	invoke(1, 1, 2);
	fake_land(&program, skip);
	step(OP(END), 0, 0, 0, 0);
	define(0, 1);
	define(1, 2);
	made.arguments[0] = a;
	made.arguments[1] = b;
	fake_make_well(&program);
}

/* S2-R1, S2-R2, S2-R8, S2-R9, S2-R19, S2-R21, S2-R24, S2-R25, S2-R40, S2-R41, S2-R42, S2-R85,
 * S2-R100, S2-R101, S2-R102, S2-A1, S2-A2, S2-A6, S2-V1: Table 1, format A: conditions decide when
 * it runs how many passes there are. */
static void table_1_makes_what_is_invoked(void **state)
{
	static const uint64_t conditions[4][2] = { { 1, 1 }, { 1, 0 }, { 0, 1 }, { 0, 0 } };

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		const uint32_t second = (uint32_t)(conditions[i][0] + conditions[i][1]);

		make_table_1(conditions[i][0], conditions[i][1]);
		expect_counts(1 + second, second == 0 ? 2 : 3, 2 + 2 * second);
		expect_pass(0, 0, 1);
		assert_int_equal(made.graph->passes[0].definition, 1);
		for (uint32_t pass = 1; pass <= second; pass++) {
			expect_pass(pass, 1, 2);
			assert_int_equal(made.graph->passes[pass].definition, 2);
		}
	}
}

/* S2-R23, S2-R35, S2-R90, S2-A3: commands of one definition hand on data that is no resource; the
 * kernels that they run are built apart, and named by their state. */
static void commands_of_a_pass_share_internal_data(void **state)
{
	(void)state;
	make_table_1(1, 0);
	assert_int_equal(made.graph->passes[0].commands, 1);
	assert_int_equal(fake_command(0, 0)->state, 0);
	assert_int_equal(made.graph->passes[1].commands, 2);
	assert_int_equal(fake_command(1, 0)->state, 1);
	assert_int_equal(fake_command(1, 1)->state, 1);
	assert_int_equal(fake_command(1, 1)->op, OP(DISPATCH));
	assert_int_equal(made.graph->passes[1].step,
			 program.definitions[1].first + program.definitions[1].count - 1);
}

/* Table 2: R1, R2, R5, R3 are resources 0, 1, 2, 3. */
static void make_table_2(uint64_t b, uint32_t piece)
{
	uint32_t skip;

	fake_begin(&program);
	fake_name_resources(&program, 4);
	step(OP(ARGUMENT), 0, 0, 0, 1);
	step(OP(STATE), 0, 0, 0, 1);
	fake_pass(&program, 0, 1);
	skip = step(OP(JEQ), 0, ZERO, 0, 0);
	step(OP(STATE), 0, 0, 0, 2);
	fake_pass(&program, 1, 2);
	fake_pass(&program, 2, 3);
	fake_land(&program, skip);
	step(OP(END), 0, 0, 0, 0);
	made.arguments[1] = b;
	made.piece = piece;
	fake_make_well(&program);
}

/* S2-R26, S2-R27, S2-R28, S2-R46, S2-R47, S2-R50, S2-R51, S2-R52, S2-R92, S2-R103, S2-R104,
 * S2-R105, S2-A4, S2-A5, S2-V2: Table 2, format B: one pass a command; none of a branch that is not
 * taken; state holds. */
static void table_2_makes_blocks(void **state)
{
	(void)state;
	for (uint32_t piece = 1; piece < 20; piece++) {
		make_table_2(1, piece);
		expect_counts(3, 4, 6);
		expect_pass(0, 0, 1);
		expect_pass(1, 1, 2);
		expect_pass(2, 2, 3);
		assert_int_equal(fake_command(0, 0)->state, 1);
		assert_int_equal(fake_command(1, 0)->state, 2);
		assert_int_equal(fake_command(2, 0)->state, 2);
		assert_int_equal(made.graph->passes[2].definition, 0);
		assert_int_equal(made.graph->passes[2].step, 16);
		assert_int_equal(made.graph->steps, 18);
		make_table_2(0, piece);
		expect_counts(1, 2, 2);
		assert_int_equal(made.graph->steps, 11);
	}
}

/* S2-R8, S2-R25, S2-R41, S2-R53, S2-R85, S2-V7: a loop of k iterations makes k passes, each with
 * its own parameters. */
static void loops_make_passes_with_their_own_parameters(void **state)
{
	(void)state;
	for (uint32_t k = 1; k <= 5; k++) {
		uint32_t again;

		fake_begin(&program);
		made.arguments[1] = k;
		step(OP(ARGUMENT), 1, 0, 0, 1);
		again = step(OP(INDEX), IN, 0, 0, 0);
		step(OP(INDEX), OUT, 0, 0, 1);
		step(OP(INVOKE), 0, 0, 0, 0);
		step(OP(ADDI), 0, 0, 0, 1);
		step(OP(JLT), 0, 1, 0, again);
		step(OP(END), 0, 0, 0, 0);
		step(OP(VALUE), 0, 0, 4, 0);
		define(0, 1);
		program.definitions[0].first--;
		program.definitions[0].count++;
		fake_make_well(&program);
		expect_counts(k, k + 1, 2 * k);
		for (uint32_t pass = 0; pass < k; pass++) {
			expect_pass(pass, pass, pass + 1);
			assert_int_equal(fake_value(fake_command(pass, 0), 0)->number, pass);
		}
	}
}

/* S2-R47, S2-R48, S2-R50, S2-R92, S2-Q9: a block is N commands, whatever is between them; the last
 * may be shorter. */
static void blocks_are_n_commands(void **state)
{
	(void)state;
	for (uint32_t n = 1; n <= GRAPH_BLOCK_COMMANDS; n++) {
		uint32_t again;

		fake_begin(&program);
		program.header.rules = n;
		step(OP(SET), 1, 0, 0, 37);
		again = step(OP(FENCE), 0, 0, 0, 0);
		step(OP(ADDI), 0, 0, 0, 1);
		step(OP(JLT), 0, 1, 0, again);
		step(OP(END), 0, 0, 0, 0);
		fake_make_well(&program);
		assert_int_equal(made.graph->pass.used, (37 + n - 1) / n);
		for (uint32_t pass = 0; pass < made.graph->pass.used; pass++) {
			assert_int_equal(made.graph->passes[pass].commands,
					 37 - pass * n < n ? 37 - pass * n : n);
		}
		assert_int_equal(made.graph->passes[made.graph->pass.used - 1].step,
				 37 % n == 0 ? 1 : 4);
	}
}

/* S2-Q9, S2-R49, S2-R50: declarations before a branch go to the block that is executed next, and to
 * no other; those after the last command make no pass. */
static void declarations_carry_over_once(void **state)
{
	uint32_t skip;

	(void)state;
	fake_begin(&program);
	fake_name_resources(&program, 4);
	step(OP(NEED), 0, ZERO, 3, 0);
	step(OP(READ), R(0), 0, 0, 0);
	skip = step(OP(JUMP), 0, 0, 0, 0);
	fake_pass(&program, 2, 3);
	fake_land(&program, skip);
	step(OP(WRITE), R(1), 0, 0, 0);
	step(OP(FENCE), 0, 0, 0, 0);
	step(OP(FENCE), 0, 0, 0, 0);
	step(OP(READ), R(2), 0, 0, 0);
	step(OP(END), 0, 0, 0, 0);
	fake_make_well(&program);
	expect_counts(2, 2, 2);
	expect_pass(0, 0, 1);
	expect_pass(1, GRAPH_NONE, GRAPH_NONE);
}

/* S2-Q9, S2-R22, S2-R91: INVOKE ends a block that has commands; else what was declared goes to the
 * definition's pass. A definition without STATE uses that of before, and leaves its own behind. */
static void invoke_ends_an_open_block(void **state)
{
	uint32_t first;

	(void)state;
	fake_begin(&program);
	program.header.rules = 2;
	fake_name_resources(&program, 4);
	step(OP(STATE), 0, 0, 0, 2);
	fake_pass(&program, 0, 1);
	step(OP(INVOKE), 0, 0, 0, 0);
	step(OP(READ), R(2), 0, 0, 0);
	step(OP(INVOKE), 0, 0, 0, 0);
	fake_pass(&program, 3, 3);
	step(OP(END), 0, 0, 0, 0);
	first = step(OP(WRITE), R(3), 0, 0, 0);
	step(OP(DISPATCH), 0, 0, 0, 0);
	step(OP(STATE), 0, 0, 0, 1);
	fake_define(&program, first);
	fake_make_well(&program);
	assert_int_equal(made.graph->pass.used, 4);
	expect_pass(0, 0, 1);
	assert_int_equal(made.graph->passes[0].step, 8);
	expect_pass(1, GRAPH_NONE, 3);
	assert_int_equal(fake_command(1, 0)->state, 2);
	assert_int_equal(made.graph->passes[1].step, first + 2);
	expect_pass(2, 2, 3);
	assert_int_equal(made.graph->passes[2].definition, 1);
	assert_int_equal(fake_command(2, 0)->state, 1);
	expect_pass(3, 3, 3);
	assert_int_equal(made.graph->passes[3].definition, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_1_makes_what_is_invoked),
		cmocka_unit_test(commands_of_a_pass_share_internal_data),
		cmocka_unit_test(table_2_makes_blocks),
		cmocka_unit_test(loops_make_passes_with_their_own_parameters),
		cmocka_unit_test(blocks_are_n_commands),
		cmocka_unit_test(declarations_carry_over_once),
		cmocka_unit_test(invoke_ends_an_open_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
