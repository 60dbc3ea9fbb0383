/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of graph programs, one by one: what they compute, what commands get, and what is refused
 * while they run.
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

#define OP(name)    GG_GRAPH_OP_##name
#define FIELD(name) GG_FIELD_GRAPH_##name
#define LOW         0x80000000u /* -2^31 */

static struct fake_program program;

static uint32_t step(enum gg_graph_op op, uint32_t a, uint32_t b, uint32_t c, uint32_t imm)
{
	return fake_step(&program, op, a, b, c, imm);
}

/* Integers 1 and 2 are b and c. */
static void begin(uint32_t b, uint32_t c)
{
	fake_begin(&program);
	step(OP(SET), 1, 0, 0, b);
	step(OP(SET), 2, 0, 0, c);
}

/* Run the steps so far; the last one must be refused. */
static void expect_refusal(enum gg_status status, uint32_t field)
{
	const uint32_t last = program.header.steps - 1;

	step(OP(END), 0, 0, 0, 0);
	fake_assert(fake_make(&program), status, field, last);
	assert_false(made.machine.over);
}

static const struct sum {
	enum gg_graph_op op;
	uint32_t b, c, result;
} sums[] = {
	{ OP(ADD), 0xffffffff, 2, 1 },
	{ OP(SUB), 1, 3, 0xfffffffe },
	{ OP(MUL), 0x10001, 0x10001, 0x20001 },
	{ OP(DIV), (uint32_t)-7, 2, (uint32_t)-3 },
	{ OP(DIV), LOW, 1, LOW },
	{ OP(REM), (uint32_t)-7, 2, (uint32_t)-1 },
	{ OP(REM), 7, (uint32_t)-2, 1 },
	{ OP(AND), 0xc, 0xa, 0x8 },
	{ OP(OR), 0xc, 0xa, 0xe },
	{ OP(XOR), 0xc, 0xa, 0x6 },
	{ OP(SHL), 3, 33, 6 },
	{ OP(SHR), LOW, 63, 0xffffffff },
	{ OP(MIN), 1, (uint32_t)-1, (uint32_t)-1 },
	{ OP(MAX), 1, (uint32_t)-1, 1 },
	{ OP(MIN), 3, 4, 3 },
	{ OP(MAX), 3, 4, 4 },
};

/* S2-Q2, S2-R8: arithmetic is that of 32 bits. */
static void arithmetic_is_that_of_32_bits(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		begin(sums[i].b, sums[i].c);
		step(sums[i].op, 0, 1, 2, 0);
		step(OP(ADDI), 3, 0, 0, 0xffffffff);
		step(OP(MOVE), 4, 3, 0, 0);
		step(OP(END), 0, 0, 0, 0);
		fake_make_well(&program);
		assert_int_equal(made.machine.variables[0], sums[i].result);
		assert_int_equal(made.machine.variables[4], sums[i].result - 1);
		assert_int_equal(made.graph->pass.used, 0);
	}
}

/* S2-Q2, S2-R8: comparisons are signed. */
static void comparisons_are_signed(void **state)
{
	static const enum gg_graph_op ops[5] = { OP(JUMP), OP(JEQ), OP(JNE), OP(JLT), OP(JGE) };
	static const struct {
		uint32_t b, c;
		bool taken[5];
	} cases[] = {
		{ 5, 5, { true, true, false, false, true } },
		{ (uint32_t)-1, 1, { true, false, true, true, false } },
		{ 1, LOW, { true, false, true, false, true } },
	};

	(void)state;
	for (uint32_t i = 0; i < 15; i++) {
		const enum gg_graph_op op = ops[i % 5];

		begin(cases[i / 5].b, cases[i / 5].c);
		step(op, op == OP(JUMP) ? 0 : 1, op == OP(JUMP) ? 0 : 2, 0, 4);
		step(OP(SET), 0, 0, 0, 1);
		step(OP(END), 0, 0, 0, 0);
		fake_make_well(&program);
		assert_int_equal(made.machine.variables[0], !cases[i / 5].taken[i % 5]);
	}
}

/* S2-R53, S2-Q10, S2-R100: arguments and data of the device, as they are when the program runs. */
static void outside_data_is_read(void **state)
{
	(void)state;
	begin(8, (uint32_t)-4);
	made.arguments[1] = 0x100000009u;
	made.words[0] = 11;
	made.words[15] = 22;
	program.resources[1].bytes_lo = 4; /* a word, and no more */
	fake_name_resources(&program, 2);
	step(OP(ARGUMENT), 3, 0, 0, 1);
	step(OP(LOAD), 4, R(0), NONE, 60);
	step(OP(LOAD), 5, R(1), 2, 4);
	step(OP(NEXT), 6, 0, 0, 0);
	step(OP(END), 0, 0, 0, 0);
	fake_make_well(&program);
	assert_int_equal(made.machine.variables[3], 9);
	assert_int_equal(made.machine.variables[4], 22);
	assert_int_equal(made.machine.variables[5], 11);
	assert_int_equal(made.machine.variables[6], 0);
}

/* S2-Q22, S2-R53: LOAD outside of its resource, of the context's memory, of a transient, not
 * aligned. */
static void loads_are_checked(void **state)
{
	static const struct {
		uint32_t resource, imm;
		enum gg_status status;
		uint32_t field;
	} cases[] = {
		{ 1, FAKE_BYTES, GG_ERR_GRAPH_DATA, FIELD(STEP_IMM) },
		{ 1, FAKE_BYTES - 3, GG_ERR_GRAPH_DATA, FIELD(STEP_IMM) },
		{ 1, 0xfffffffc, GG_ERR_GRAPH_DATA, FIELD(STEP_IMM) },
		{ 1, 2, GG_ERR_GRAPH_DATA, FIELD(STEP_IMM) },
		{ 2, 0, GG_ERR_GRAPH_DATA, FIELD(STEP_IMM) },
		{ 3, 0, GG_ERR_GRAPH_DATA, FIELD(STEP_B) },
		{ 4, 0, GG_ERR_GRAPH_DATA, FIELD(STEP_IMM) },
		{ FAKE_TRANSIENT, 0, GG_ERR_GRAPH_RESOURCE, FIELD(STEP_B) },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin(0, 0);
		program.resources[2].address_lo += 1;
		program.resources[3].address_hi = 1;
		program.resources[4].bytes_lo = 3;
		step(OP(RESOURCE), R(0), 0, 0, cases[i].resource);
		step(OP(LOAD), 0, R(0), NONE, cases[i].imm);
		expect_refusal(cases[i].status, cases[i].field);
	}
	begin(0, 0);
	step(OP(LOAD), 0, R(0), NONE, 0);
	expect_refusal(GG_ERR_GRAPH_RESOURCE, FIELD(STEP_B));
}

/* A last step that is refused because of values: integer 1 is 0, 2 is 65536, 3 is -1, 4 is -2^31;
 * resource variables 0 and 1 are assigned, and declared; no state is set. */
static const struct late {
	struct gg_graph_step step;
	enum gg_status status;
	uint32_t field;
} lates[] = {
#define STEP(op, a, b, c, imm)                                                                 \
	{                                                                                      \
		GG_GRAPH_OP_##op | (a) << 8 | (b) << 16 | (uint32_t)(c) << 24, (uint32_t)(imm) \
	}
	{ STEP(DIV, 0, 2, 1, 0), GG_ERR_GRAPH_DATA, FIELD(STEP_C) },
	{ STEP(DIV, 0, 4, 3, 0), GG_ERR_GRAPH_DATA, FIELD(STEP_C) },
	{ STEP(REM, 0, 1, 1, 0), GG_ERR_GRAPH_DATA, FIELD(STEP_C) },
	{ STEP(REM, 0, 4, 3, 0), GG_ERR_GRAPH_DATA, FIELD(STEP_C) },
	{ STEP(INDEX, R(3), 2, 0, 0), GG_ERR_GRAPH_RESOURCE, FIELD(STEP_B) },
	{ STEP(INDEX, R(3), 3, 0, 0), GG_ERR_GRAPH_RESOURCE, FIELD(STEP_B) },
	{ STEP(INDEX, R(3), 1, 0, 7), GG_ERR_GRAPH_RESOURCE, FIELD(STEP_B) },
	{ STEP(INDEX, R(3), 1, 0, 8), GG_ERR_GRAPH_RESOURCE, FIELD(STEP_B) },
	{ STEP(READ, R(2), 0, 0, 0), GG_ERR_GRAPH_RESOURCE, FIELD(STEP_A) },
	{ STEP(WRITE, R(2), 0, 0, 0), GG_ERR_GRAPH_RESOURCE, FIELD(STEP_A) },
	{ STEP(SHARE, R(2), 0, 0, 0), GG_ERR_GRAPH_RESOURCE, FIELD(STEP_A) },
	{ STEP(SIZE, R(2), 0, 0, 0), GG_ERR_GRAPH_RESOURCE, FIELD(STEP_A) },
	{ STEP(AFTER, 3, 0, 0, 0), GG_ERR_GRAPH_RESOURCE, FIELD(STEP_A) },
	{ STEP(ADDRESS, R(2), NONE, 0, 0), GG_ERR_GRAPH_RESOURCE, FIELD(STEP_A) },
	{ STEP(COPY, R(1), R(2), NONE, 4), GG_ERR_GRAPH_RESOURCE, FIELD(STEP_B) },
	{ STEP(COPY, R(2), R(0), NONE, 4), GG_ERR_GRAPH_RESOURCE, FIELD(STEP_A) },
	{ STEP(FILL, R(1), 1, NONE, FAKE_BYTES + 4), GG_ERR_GRAPH_DATA, FIELD(STEP_C) },
	{ STEP(SIGNAL, R(2), 1, 0, 0), GG_ERR_GRAPH_RESOURCE, FIELD(STEP_A) },
	{ STEP(GRID, 1, NONE, NONE, 0), GG_ERR_GRID_ZERO, FIELD(STEP_A) },
	{ STEP(GRID, NONE, 1, NONE, 0), GG_ERR_GRID_ZERO, FIELD(STEP_B) },
	{ STEP(GRID, NONE, 2, NONE, 0), GG_ERR_GRID_OVERFLOW, FIELD(STEP_B) },
	{ STEP(GRID, NONE, NONE, 2, 0), GG_ERR_GRID_OVERFLOW, FIELD(STEP_C) },
	{ STEP(DISPATCH, 0, 0, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_OP) },
};

/* S2-Q22, S2-R25: what depends on values is refused when the step runs, with its number. */
static void values_are_checked_when_they_are_used(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lates) / sizeof(lates[0]); i++) {
		begin(0, 65536);
		made.piece = (uint32_t)i + 1;
		step(OP(SET), 3, 0, 0, 0xffffffff);
		step(OP(SET), 4, 0, 0, LOW);
		fake_name_resources(&program, 2);
		step(OP(READ), R(0), 0, 0, 0);
		step(OP(WRITE), R(1), 0, 0, 0);
		program.steps[program.header.steps++] = lates[i].step;
		expect_refusal(lates[i].status, lates[i].field);
	}
}

/* S2-Q22: arguments and grids must be taken by a DISPATCH of the pass in which they are. */
static void nothing_prepared_is_left_over(void **state)
{
	static const struct gg_graph_step left[2] = { STEP(CONST, 0, 0, 4, 0),
						      STEP(GRID, NONE, NONE, NONE, 0) };

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		begin(0, 0);
		program.steps[program.header.steps++] = left[i];
		step(OP(FENCE), 0, 0, 0, 0);
		expect_refusal(GG_ERR_GRAPH_STEP, FIELD(STEP_OP));
		begin(0, 0);
		step(OP(INVOKE), 0, 0, 0, 0);
		step(OP(END), 0, 0, 0, 0);
		step(OP(FENCE), 0, 0, 0, 0);
		program.steps[program.header.steps++] = left[i];
		fake_define(&program, 4);
		fake_assert(fake_make(&program), GG_ERR_GRAPH_STEP, FIELD(STEP_OP), 5);
		begin(0, 0);
		program.steps[program.header.steps++] = left[i];
		step(OP(END), 0, 0, 0, 0);
		fake_make_well(&program);
	}
}

/* S2-Q2: a loop without end comes to its budget, however it is cut into pieces; one that takes all
 * of it does not. */
static void the_budget_ends_loops(void **state)
{
	(void)state;
	for (uint32_t piece = 1; piece < 6; piece++) {
		begin(0, 0);
		step(OP(FENCE), 0, 0, 0, 0);
		step(OP(JUMP), 0, 0, 0, 2);
		made.outside.step_budget = 25;
		made.piece = piece;
		fake_assert(fake_make(&program), GG_ERR_GRAPH_BUDGET, FIELD(STEP_BUDGET), 3);
		assert_int_equal(made.graph->steps, 25);
		program.steps[3] = (struct gg_graph_step){ OP(END), 0 };
		made.outside.step_budget = 4;
		fake_make_well(&program);
		assert_int_equal(made.graph->steps, 4);
	}
	begin(0, 0);
	step(OP(JUMP), 0, 0, 0, 2);
	fake_assert(fake_make(&program), GG_ERR_GRAPH_BUDGET, FIELD(STEP_BUDGET), 2);
	assert_int_equal(made.graph->steps, GRAPH_STEP_BUDGET);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arithmetic_is_that_of_32_bits),
		cmocka_unit_test(comparisons_are_signed),
		cmocka_unit_test(outside_data_is_read),
		cmocka_unit_test(loads_are_checked),
		cmocka_unit_test(values_are_checked_when_they_are_used),
		cmocka_unit_test(nothing_prepared_is_left_over),
		cmocka_unit_test(the_budget_ends_loops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
