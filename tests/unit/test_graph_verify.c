/* SPDX-License-Identifier: Apache-2.0 */
/* Verification of graph programs: what is wrong is refused before a step is executed, with status,
 * field and value.
 * sources: firmware/graph/op.c firmware/graph/code_open.c firmware/graph/verify.c
 * firmware/graph/code.c firmware/graph/construct.c firmware/graph/compute.c
 * firmware/graph/build.c firmware/graph/draft.c firmware/graph/draft_end.c
 * tests/unit/fake_program.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/graph/code_open.h"
#include "firmware/graph/verify.h"
#include "tests/unit/fake_program.h"

#define FIELD(name) GG_FIELD_GRAPH_##name
#define WORD(name)  (offsetof(struct gg_graph_program, name) / 4)

static struct fake_program program;

/* Steps of each form, and where they are. */
enum place {
	SET = 0,
	MOVE,
	ADD,
	ARGUMENT,
	LOAD,
	RESOURCE,
	INDEX,
	JUMP,
	JEQ,
	NEED,
	CONST,
	ADDRESS,
	ADDRESS_IMM,
	COPY,
	SIGNAL,
	GRID,
	INVOKE,
	STATE,
	AFTERI,
	END,
	DEFINED, /* two definitions of 2 steps */
	STEPS = DEFINED + 4,
};

static const struct gg_graph_step good[STEPS] = {
#define STEP(op, a, b, c, imm)                                                                 \
	{                                                                                      \
		GG_GRAPH_OP_##op | (a) << 8 | (b) << 16 | (uint32_t)(c) << 24, (uint32_t)(imm) \
	}
	STEP(SET, 7, 0, 0, -1),
	STEP(MOVE, R(7), R(0), 0, 0),
	STEP(ADD, 0, 1, 2, 0),
	STEP(ARGUMENT, 0, 0, 0, 1),
	STEP(LOAD, 0, R(0), NONE, 4),
	STEP(RESOURCE, R(0), 0, 0, 6),
	STEP(INDEX, R(0), 0, 0, -1),
	STEP(JUMP, 0, 0, 0, JEQ),
	STEP(JEQ, 0, 7, 0, END),
	STEP(NEED, 0, 0, 3, 0),
	STEP(CONST, 0, 0, 8, -1),
	STEP(ADDRESS, R(0), 1, 0, 0),
	STEP(ADDRESS, R(0), NONE, 0, 12),
	STEP(COPY, R(0), R(1), NONE, 12),
	STEP(SIGNAL, R(0), 3, 0, 8),
	STEP(GRID, 0, NONE, NONE, 0),
	STEP(INVOKE, 0, 0, 0, 1),
	STEP(STATE, 0, 0, 0, 2),
	STEP(AFTERI, 0, 0, 0, 65534),
	STEP(END, 0, 0, 0, 0),
	STEP(FENCE, 0, 0, 0, 0),
	STEP(READ, R(0), 0, 0, 0),
	STEP(READ, R(0), 0, 0, 0),
	STEP(FENCE, 0, 0, 0, 0),
};

static void make_good(void)
{
	fake_begin(&program);
	memcpy(program.steps, good, sizeof(good));
	program.header.steps = DEFINED + 2;
	fake_define(&program, DEFINED);
	program.header.steps = DEFINED + 4;
	fake_define(&program, DEFINED + 2);
}

/* S2-Q1, S2-R19, S2-R20, S2-R26, S2-A2, S2-A4: every form of a step is accepted, in pieces of any
 * size; definitions need not end with a command. */
static void good_programs_pass(void **state)
{
	(void)state;
	for (uint32_t budget = 1; budget < 40; budget++) {
		make_good();
		fake_assert(fake_verify(&program, budget), GG_OK, 0, 0);
	}
}

/* A word of the header is replaced; the refusal shows that field and its value. */
static const struct header_damage {
	uint32_t word;
	uint32_t value;
	uint32_t field;
	uint32_t shown;
} header_damages[] = {
	{ WORD(magic), 0x47474750, FIELD(PROGRAM_MAGIC), 0x47474750 },
	{ WORD(version), 2, FIELD(PROGRAM_VERSION), 2 },
	{ WORD(all_bytes), sizeof(program) - 8, FIELD(PROGRAM_ALL_BYTES), sizeof(program) - 8 },
	{ WORD(rules), 0, FIELD(PROGRAM_BLOCK_COMMANDS), 0 },
	{ WORD(rules), 17, FIELD(PROGRAM_BLOCK_COMMANDS), 17 },
	{ WORD(rules), 1 | 1u << 9, FIELD(PROGRAM_PROGRAM_RESERVED), 1 },
	{ WORD(steps), 0, FIELD(PROGRAM_STEPS), 0 },
	{ WORD(steps), 65537, FIELD(PROGRAM_STEPS), 65537 },
	{ WORD(steps), 65536, FIELD(PROGRAM_STEPS_OFFSET), sizeof(program.header) },
	{ WORD(steps_offset), 76, FIELD(PROGRAM_STEPS_OFFSET), 76 },
	{ WORD(steps_offset), 64, FIELD(PROGRAM_STEPS_OFFSET), 64 },
	{ WORD(steps_offset), 0xfffffff8, FIELD(PROGRAM_STEPS_OFFSET), 0xfffffff8 },
	{ WORD(definitions), 257, FIELD(PROGRAM_DEFINITIONS), 257 },
	{ WORD(definitions_offset), sizeof(program) - 16 - 8, FIELD(PROGRAM_DEFINITIONS_OFFSET),
	  sizeof(program) - 16 - 8 },
	{ WORD(states), 257, FIELD(PROGRAM_STATES), 257 },
	{ WORD(states_offset), sizeof(program), FIELD(PROGRAM_STATES_OFFSET), sizeof(program) },
	{ WORD(resources), 16385, FIELD(PROGRAM_RESOURCES), 16385 },
	{ WORD(resources), FAKE_RESOURCES + 1, FIELD(PROGRAM_RESOURCES_OFFSET),
	  offsetof(struct fake_program, resources) },
	{ WORD(resources_offset), 4, FIELD(PROGRAM_RESOURCES_OFFSET), 4 },
	{ WORD(variables), 65, FIELD(PROGRAM_VARIABLES), 65 },
	{ WORD(copy_state), FAKE_STATES, FIELD(PROGRAM_COPY_STATE), FAKE_STATES },
	{ WORD(fill_state), 0xfffffffe, FIELD(PROGRAM_FILL_STATE), 0xfffffffe },
	{ WORD(program_reserved_3c), 1, FIELD(PROGRAM_PROGRAM_RESERVED_3C), 1 },
	{ WORD(types), 0x1ff00, FIELD(PROGRAM_TYPES), 0x1ff00 },
};

/* S2-Q1, S2-Q3, S2-Q22: a header that is wrong anywhere is refused. */
static void headers_are_checked(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(header_damages) / sizeof(header_damages[0]); i++) {
		const struct header_damage *const damage = &header_damages[i];

		make_good();
		memcpy((uint32_t *)(void *)&program.header + damage->word, &damage->value, 4);
		fake_assert(fake_verify(&program, 1), GG_ERR_GRAPH_FORMAT, damage->field,
			    damage->shown);
	}
}

/* S2-Q3: what is too short for a header, or no multiple of 8, is not read; empty tables may be
 * anywhere inside; 64 variables have a type each. */
static void sizes_at_the_limits(void **state)
{
	struct graph_program opened;

	(void)state;
	fake_assert(graph_code_open(&opened, NULL, 64), GG_ERR_GRAPH_FORMAT, FIELD(PROGRAM_BYTES),
		    64);
	fake_assert(graph_code_open(&opened, NULL, 76), GG_ERR_GRAPH_FORMAT, FIELD(PROGRAM_BYTES),
		    76);
	fake_begin(&program);
	fake_step(&program, GG_GRAPH_OP_END, 0, 0, 0, 0);
	program.header.states = 0;
	program.header.states_offset = sizeof(program);
	program.header.fill_state = GRAPH_NO_STATE;
	program.header.resources = 0;
	program.header.resources_offset = 0;
	program.header.variables = 64;
	program.header.types[1] = 0x80000000;
	fake_assert(fake_verify(&program, 1), GG_OK, 0, 0);
	program.header.variables = 63;
	fake_assert(fake_verify(&program, 1), GG_ERR_GRAPH_FORMAT, FIELD(PROGRAM_TYPES),
		    0x800000000000ff00u);
}

/* A step is replaced; the refusal shows this field and the step. INDEX follows a step that names a resource. */
static const struct step_damage {
	enum place place;
	struct gg_graph_step step;
	enum gg_status status;
	uint32_t field;
} step_damages[] = {
	{ SET, STEP(SET, 16, 0, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_A) },
	{ SET, STEP(SET, NONE, 0, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_A) },
	{ SET, STEP(SET, R(0), 0, 0, 0), GG_ERR_GRAPH_TYPE, FIELD(STEP_A) },
	{ SET, STEP(SET, 0, 1, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_B) },
	{ SET, STEP(SET, 0, 0, 1, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_C) },
	{ MOVE, STEP(MOVE, 0, R(0), 0, 0), GG_ERR_GRAPH_TYPE, FIELD(STEP_B) },
	{ MOVE, STEP(MOVE, R(0), 0, 0, 0), GG_ERR_GRAPH_TYPE, FIELD(STEP_B) },
	{ MOVE, STEP(MOVE, 16, 0, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_A) },
	{ MOVE, STEP(MOVE, 0, 16, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_B) },
	{ ADD, STEP(ADD, 0, 0, NONE, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_C) },
	{ ADD, STEP(ADD, 0, 0, R(1), 0), GG_ERR_GRAPH_TYPE, FIELD(STEP_C) },
	{ ADD, STEP(ADD, 0, 0, 0, 1), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ ARGUMENT, STEP(ARGUMENT, 0, 0, 0, 2), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ ARGUMENT, STEP(PARAMETER, 0, 0, 4, 2), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ LOAD, STEP(LOAD, 0, 0, NONE, 0), GG_ERR_GRAPH_TYPE, FIELD(STEP_B) },
	{ LOAD, STEP(LOAD, 0, NONE, NONE, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_B) },
	{ LOAD, STEP(LOAD, 0, R(0), R(0), 0), GG_ERR_GRAPH_TYPE, FIELD(STEP_C) },
	{ RESOURCE, STEP(RESOURCE, 0, 0, 0, 0), GG_ERR_GRAPH_TYPE, FIELD(STEP_A) },
	{ RESOURCE, STEP(RESOURCE, R(0), 0, 0, 7), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ RESOURCE, STEP(RESOURCE, R(0), 0, 0, 8), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ INDEX, STEP(RESOURCE, R(0), 1, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_B) },
	{ INDEX, STEP(READ, 0, 0, 0, 0), GG_ERR_GRAPH_TYPE, FIELD(STEP_A) },
	{ INDEX, STEP(READ, R(0), 0, 0, 1), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ INDEX, STEP(WRITE, R(0), 1, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_B) },
	{ INDEX, STEP(SHARE, R(0), 0, 1, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_C) },
	{ INDEX, STEP(AFTER, R(0), 0, 0, 0), GG_ERR_GRAPH_TYPE, FIELD(STEP_A) },
	{ INDEX, STEP(SET, R(0), 0, 0, 0), GG_ERR_GRAPH_TYPE, FIELD(STEP_A) },
	{ INDEX, STEP(READ, 16, 0, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_A) },
	{ INDEX, STEP(READ, NONE, 0, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_A) },
	{ INDEX, STEP(RESOURCE, R(0), 0, 0, 7), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ INDEX, STEP(RESOURCE, R(0), 0, 0, 8), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ INDEX, STEP(INDEX, 0, 0, 0, 0), GG_ERR_GRAPH_TYPE, FIELD(STEP_A) },
	{ JUMP, STEP(JUMP, 0, 0, 0, STEPS), GG_ERR_GRAPH_JUMP, FIELD(STEP_IMM) },
	{ JUMP, STEP(JUMP, 0, 0, 0, -1), GG_ERR_GRAPH_JUMP, FIELD(STEP_IMM) },
	{ JUMP, STEP(JUMP, 0, 0, 0, DEFINED), GG_ERR_GRAPH_JUMP, FIELD(STEP_IMM) },
	{ JEQ, STEP(JGE, 0, 0, 0, STEPS - 1), GG_ERR_GRAPH_JUMP, FIELD(STEP_IMM) },
	{ JEQ, STEP(JLT, 0, R(0), 0, 0), GG_ERR_GRAPH_TYPE, FIELD(STEP_B) },
	{ INVOKE, STEP(INVOKE, 0, 0, 0, 2), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ NEED, STEP(NEED, 0, 0, 4, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_C) },
	{ CONST, STEP(CONST, 0, 0, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_C) },
	{ CONST, STEP(VALUE, 0, 0, 2, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_C) },
	{ ADDRESS, STEP(ADDRESS, R(0), 1, 0, 4), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ COPY, STEP(COPY, R(0), R(1), 0, 4), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ COPY, STEP(FILL, R(0), R(1), 0, 0), GG_ERR_GRAPH_TYPE, FIELD(STEP_B) },
	{ SIGNAL, STEP(SIGNAL, R(0), 0, 0, 2), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ STATE, STEP(STATE, 0, 0, 0, 3), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ AFTERI, STEP(AFTERI, 0, 0, 0, 65535), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ END, STEP(END, 0, 0, 0, 1), GG_ERR_GRAPH_STEP, FIELD(STEP_IMM) },
	{ END, STEP(FENCE, 0, 0, 0, 0), GG_ERR_GRAPH_JUMP, FIELD(STEP_OP) },
	{ END, STEP(JEQ, 0, 0, 0, 0), GG_ERR_GRAPH_JUMP, FIELD(STEP_OP) },
	{ END, STEP(READ, R(0), 0, 0, 0), GG_ERR_GRAPH_JUMP, FIELD(STEP_OP) },
	{ END, STEP(INVOKE, 0, 0, 0, 0), GG_ERR_GRAPH_JUMP, FIELD(STEP_OP) },
	{ DEFINED, STEP(END, 0, 0, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_OP) },
	{ DEFINED, STEP(JUMP, 0, 0, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_OP) },
	{ DEFINED, STEP(INVOKE, 0, 0, 0, 0), GG_ERR_GRAPH_STEP, FIELD(STEP_OP) },
};

/* S2-Q1, S2-Q2, S2-Q22, S2-R20: a step that is wrong anywhere is refused. */
static void steps_are_checked(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(step_damages) / sizeof(step_damages[0]); i++) {
		const struct step_damage *const damage = &step_damages[i];

		make_good();
		program.steps[damage->place] = damage->step;
		fake_assert(fake_verify(&program, (uint32_t)i + 1), damage->status, damage->field,
			    damage->place);
	}
}

/* A piece has no more entries than it may have, whatever they are. */
static void pieces_are_bounded(void **state)
{
	(void)state;
	for (uint32_t budget = 1; budget < 10; budget++) {
		struct graph_program opened;
		uint32_t cursor = 0, pieces = 0;

		make_good();
		for (uint32_t place = SET; place < END; place++) {
			program.steps[place] = (struct gg_graph_step)STEP(READ, R(0), 0, 0, 0);
		}
		assert_int_equal(graph_code_open(&opened, &program, sizeof(program)).status, GG_OK);
		for (; cursor != UINT32_MAX; pieces++) {
			fake_assert(graph_code_verify(&opened, 2, &cursor, budget), GG_OK, 0, 0);
		}
		const uint32_t entries = opened.header->definitions + opened.header->resources +
					 opened.header->steps;

		assert_int_equal(pieces, (entries + budget - 1) / budget);
	}
}

/* S2-R30: nothing but the operations of the list is one. */
static void unknown_operations_are_refused(void **state)
{
	(void)state;
	for (uint32_t op = 0; op < 256; op++) {
		const bool known = op <= 20 || (op >= 24 && op <= 29) || (op >= 32 && op <= 38) ||
				   (op >= 40 && op <= 45) || (op >= 48 && op <= 52);
		struct refusal refusal;

		make_good();
		program.steps[SET] = (struct gg_graph_step){ op, 0 };
		refusal = fake_verify(&program, 1000);
		if (!known) {
			fake_assert(refusal, GG_ERR_GRAPH_STEP, FIELD(STEP_OP), SET);
		} else {
			assert_int_not_equal(refusal.field, FIELD(STEP_OP));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_programs_pass),
		cmocka_unit_test(headers_are_checked),
		cmocka_unit_test(sizes_at_the_limits),
		cmocka_unit_test(steps_are_checked),
		cmocka_unit_test(pieces_are_bounded),
		cmocka_unit_test(unknown_operations_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
