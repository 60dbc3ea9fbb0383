/* SPDX-License-Identifier: Apache-2.0 */
/* Verification of the tables of graph programs: definitions and resources.
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

static struct fake_program program;

/* Steps: 0 END, 1 to 4 definition 0, 5 END, 6 to 9 definition 1. */
static void begin(void)
{
	fake_begin(&program);
	for (uint32_t i = 0; i < 10; i++) {
		fake_step(&program, i % 5 == 0 ? OP(END) : OP(FENCE), 0, 0, 0, 0);
	}
	program.header.definitions = 2;
	program.definitions[0] = (struct gg_graph_definition){ .first = 1, .count = 4, .id = 9 };
	program.definitions[1] = (struct gg_graph_definition){ .first = 6, .count = 4 };
}

/* S2-R19, S2-R20: definitions are inside the steps, apart, in order, and not where the program
 * begins. */
static void definitions_are_apart(void **state)
{
	static const struct {
		uint32_t number;
		struct gg_graph_definition one;
		uint32_t field;
	} cases[] = {
		{ 0, { 0, 5, 0, 0 }, FIELD(DEFINITION_FIRST) },
		{ 0, { 10, 1, 0, 0 }, FIELD(DEFINITION_FIRST) },
		{ 0, { 1, 0, 0, 0 }, FIELD(DEFINITION_COUNT) },
		{ 0, { 1, 10, 0, 0 }, FIELD(DEFINITION_COUNT) },
		{ 0, { 1, 0xffffffff, 0, 0 }, FIELD(DEFINITION_COUNT) },
		{ 0, { 1, 4, 0, 1 }, FIELD(DEFINITION_DEFINITION_RESERVED_C) },
		{ 1, { 4, 4, 0, 0 }, FIELD(DEFINITION_FIRST) },
		{ 1, { 6, 5, 0, 0 }, FIELD(DEFINITION_COUNT) },
	};

	(void)state;
	begin();
	fake_assert(fake_verify(&program, 3), GG_OK, 0, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin();
		program.definitions[cases[i].number] = cases[i].one;
		fake_assert(fake_verify(&program, 1), GG_ERR_GRAPH_FORMAT, cases[i].field,
			    cases[i].number);
	}
	begin();
	program.definitions[0].first = 6;
	program.definitions[1].first = 1;
	fake_assert(fake_verify(&program, 1), GG_ERR_GRAPH_FORMAT, FIELD(DEFINITION_FIRST), 1);
}

/* S2-R20, S2-R23: a definition has 1 to 16 commands, wherever verification is cut into pieces; what
 * is after the last command of one does not count for the next. */
static void definitions_have_commands(void **state)
{
	(void)state;
	for (uint32_t budget = 1; budget < 40; budget++) {
		fake_begin(&program);
		fake_step(&program, OP(END), 0, 0, 0, 0);
		for (uint32_t i = 0; i < GRAPH_BLOCK_COMMANDS + 1; i++) {
			fake_step(&program, OP(FENCE), 0, 0, 0, 0);
		}
		program.header.definitions = 1;
		program.definitions[0].first = 1;
		program.definitions[0].count = GRAPH_BLOCK_COMMANDS + 1;
		fake_assert(fake_verify(&program, budget), GG_ERR_GRAPH_TOO_LARGE, FIELD(STEP_OP),
			    GRAPH_BLOCK_COMMANDS + 1);
		program.steps[3].what = OP(SET);
		fake_assert(fake_verify(&program, budget), GG_OK, 0, 0);
		program.header.definitions = 2;
		program.definitions[0].count = 2;
		program.definitions[1].first = 3;
		program.definitions[1].count = GRAPH_BLOCK_COMMANDS - 1;
		fake_assert(fake_verify(&program, budget), GG_OK, 0, 0);
		program.definitions[1].count = 1;
		program.header.steps = 4;
		fake_assert(fake_verify(&program, budget), GG_ERR_GRAPH_FORMAT,
			    FIELD(DEFINITION_COUNT), 1);
	}
}

/* S2-R20, S2-R24: a program does not run into a definition, and may go on behind one only by a jump
 * or INVOKE. */
static void definitions_are_entered_by_invoke(void **state)
{
	(void)state;
	begin();
	program.steps[5].what = OP(FENCE);
	fake_assert(fake_verify(&program, 7), GG_ERR_GRAPH_JUMP, FIELD(STEP_OP), 5);
	program.steps[5] = (struct gg_graph_step){ OP(JUMP), 5 };
	fake_assert(fake_verify(&program, 7), GG_OK, 0, 0);
	for (uint32_t target = 0; target < 12; target++) {
		program.steps[5].imm = target;
		if (target == 0 || target == 5) {
			fake_assert(fake_verify(&program, 7), GG_OK, 0, 0);
		} else {
			fake_assert(fake_verify(&program, 7), GG_ERR_GRAPH_JUMP, FIELD(STEP_IMM),
				    5);
		}
	}
}

/* S2-R6, S2-Q1: words of a resource that mean nothing for its kind are zero; those that do are
 * there. */
static void resources_are_checked(void **state)
{
	static const struct {
		struct gg_graph_resource one; /* kind, argument, address, bytes */
		uint32_t field;
	} cases[] = {
		{ { 4, 0, 0, 0, 0, 0 }, FIELD(RESOURCE_KIND) },
		{ { GG_GRAPH_RESOURCE_KIND_ARGUMENT, 2, 0, 0, 4, 0 }, FIELD(RESOURCE_ARGUMENT) },
		{ { GG_GRAPH_RESOURCE_KIND_FIXED, 1, 0, 0, 4, 0 }, FIELD(RESOURCE_ARGUMENT) },
		{ { GG_GRAPH_RESOURCE_KIND_TRANSIENT, 1, 0, 0, 4, 0 }, FIELD(RESOURCE_ARGUMENT) },
		{ { GG_GRAPH_RESOURCE_KIND_TRANSIENT, 0, 1, 0, 4, 0 }, FIELD(RESOURCE_ADDRESS) },
		{ { GG_GRAPH_RESOURCE_KIND_NONE, 0, 0, 1, 0, 0 }, FIELD(RESOURCE_ADDRESS) },
		{ { GG_GRAPH_RESOURCE_KIND_NONE, 0, 0, 0, 1, 0 }, FIELD(RESOURCE_BYTES) },
		{ { GG_GRAPH_RESOURCE_KIND_FIXED, 0, 1, 1, 0, 0 }, FIELD(RESOURCE_BYTES) },
		{ { GG_GRAPH_RESOURCE_KIND_ARGUMENT, 1, 1, 1, 0, 0 }, FIELD(RESOURCE_BYTES) },
		{ { GG_GRAPH_RESOURCE_KIND_ARGUMENT, 1, 1, 1, 0, 1 }, 0 },
		{ { GG_GRAPH_RESOURCE_KIND_TRANSIENT, 0, 0, 0, 0, 0 }, 0 },
		{ { GG_GRAPH_RESOURCE_KIND_NONE, 0, 0, 0, 0, 0 }, 0 },
	};

	(void)state;
	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const uint32_t number = i % FAKE_RESOURCES;

		begin();
		program.resources[number] = cases[i].one;
		if (cases[i].field == 0) {
			fake_assert(fake_verify(&program, 1), GG_OK, 0, 0);
		} else {
			fake_assert(fake_verify(&program, 1), GG_ERR_GRAPH_FORMAT, cases[i].field,
				    number);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(definitions_are_apart),
		cmocka_unit_test(definitions_have_commands),
		cmocka_unit_test(definitions_are_entered_by_invoke),
		cmocka_unit_test(resources_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
