/* SPDX-License-Identifier: Apache-2.0 */
/* Random graph programs, most of them valid but for a few bytes: what passes verification runs to
 * END, to its budget or to a refusal, and touches nothing outside of its tables, which are apart
 * here so that the sanitizers see it. GANGER_SEED repeats a run, or with GANGER_CASES=1 a single
 * case.
 * sources: firmware/graph/op.c firmware/graph/code_open.c firmware/graph/verify.c
 * firmware/graph/code.c firmware/graph/construct.c firmware/graph/compute.c
 * firmware/graph/build.c firmware/graph/draft.c firmware/graph/draft_end.c
 * tests/unit/fake_random_program.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/graph/build.h"
#include "firmware/graph/verify.h"
#include "tests/unit/fake_random_program.h"

#define CASES  100000u
#define SEED   20200529u
#define BUDGET 400u
#define MEMORY 6000u /* of a graph: some programs are too large for it */
#define BYTES  32u   /* of what LOAD sees */

/* How cases ended. */
enum end {
	END_UNVERIFIED,
	END_OVER,
	END_BUDGET,
	END_REFUSED,
	ENDS
};

static uint32_t *words;
static uint64_t running; /* seed of the case */

static const uint32_t *word(void *context, uint64_t address)
{
	assert_null(context);
	assert_int_equal(address % 4, 0);
	return address < BYTES ? &words[address / 4] : NULL;
}

/* In pieces or at once: the result is the same. */
static bool verifies(const struct graph_program *program)
{
	const uint32_t piece = 1 + fake_random_below(7);
	struct refusal refusals[2];

	for (uint32_t i = 0; i < 2; i++) {
		uint32_t cursor = 0;

		do {
			refusals[i] = graph_code_verify(program, FAKE_ARGUMENTS, &cursor,
							i == 0 ? UINT32_MAX : piece);
		} while (refusals[i].status == GG_OK && cursor != UINT32_MAX);
	}
	assert_int_equal(refusals[0].status, refusals[1].status);
	assert_int_equal(refusals[0].field, refusals[1].field);
	assert_int_equal(refusals[0].value, refusals[1].value);
	return refusals[0].status == GG_OK;
}

/* Variables that are not there are not touched, and resource variables hold resources that are
 * used. */
static void check_variables(const struct graph_machine *machine)
{
	const struct graph_program *const program = machine->program;

	for (uint32_t i = 0; i < GRAPH_VARIABLES; i++) {
		const uint32_t value = machine->variables[i];
		const bool is_resource = (program->header->types[i / 32] >> i % 32 & 1) != 0;

		if (i >= program->header->variables) {
			assert_int_equal(value, 0);
		} else if (is_resource && value != 0) {
			assert_true(value <= program->header->resources);
			assert_int_not_equal(program->resources[value - 1].kind,
					     GG_GRAPH_RESOURCE_KIND_NONE);
		}
	}
}

static void check_value(const struct graph *graph, const struct graph_value *value)
{
	switch (value->op) {
	case GG_GRAPH_OP_CONST:
		break;
	case GG_GRAPH_OP_PARAMETER:
		assert_true(value->from < FAKE_ARGUMENTS);
		break;
	default:
		assert_int_equal(value->op, GG_GRAPH_OP_ADDRESS);
		assert_true(value->number < graph->resource_count);
		break;
	}
	assert_true(value->bytes == 4 || value->bytes == 8);
}

static void check_command(const struct graph *graph, const struct graph_program *program,
			  const struct graph_command *command)
{
	if (command->op == GG_GRAPH_OP_DISPATCH) {
		assert_true(command->state < program->header->states);
		assert_true(command->first_value + command->values <= graph->value.used);
	} else {
		assert_int_equal(command->values, 0);
		assert_true(command->a < graph->resource_count);
		assert_true(command->op != GG_GRAPH_OP_COPY || command->b < graph->resource_count);
	}
	for (uint32_t i = 0; i < command->values; i++) {
		check_value(graph, &graph->values[command->first_value + i]);
	}
}

static void check_graph(const struct graph *graph, const struct graph_program *program)
{
	for (uint32_t i = 0; i < graph->pass.used; i++) {
		const struct graph_pass *const pass = &graph->passes[i];

		assert_in_range(pass->commands, 1, GRAPH_BLOCK_COMMANDS);
		assert_true(pass->definition <= program->header->definitions);
		assert_true(pass->step < program->header->steps);
		for (uint32_t k = 0; k < pass->commands; k++) {
			check_command(graph, program, &graph->commands[pass->first_command + k]);
		}
	}
}

static enum end run(struct graph_machine *machine, const struct graph_program *program)
{
	const uint32_t piece = 1 + fake_random_below(40);
	struct refusal refusal = refusal_none();
	uint32_t turns = 0;

	while (refusal.status == GG_OK && !machine->over) {
		refusal = graph_code_run(machine, piece);
		assert_true(++turns <= BUDGET);
	}
	check_variables(machine);
	check_graph(machine->graph, program);
	assert_true(machine->graph->steps <= BUDGET);
	if (refusal.status == GG_OK) {
		return END_OVER;
	}
	assert_true(refusal.field != 0 && refusal.value < program->header->steps);
	return refusal.status == GG_ERR_GRAPH_BUDGET ? END_BUDGET : END_REFUSED;
}

static enum end run_case(void)
{
	static const uint64_t arguments[FAKE_ARGUMENTS] = { 0, 3, 0xffffffffffffffffu };
	const struct graph_outside outside = { .arguments = arguments,
					       .argument_count = FAKE_ARGUMENTS,
					       .step_budget = BUDGET,
					       .word = word };
	const uint32_t damages = fake_random_below(3);
	struct graph_program program = fake_random_program(damages);
	const bool valid = verifies(&program);
	enum end end = END_UNVERIFIED;

	assert_true(valid || damages != 0);
	if (valid) {
		struct graph_machine *const machine = malloc(sizeof(*machine));
		void *const memory = malloc(MEMORY);

		assert_int_equal(graph_build_begin(memory, memory, MEMORY, program.resources,
						   program.header->resources,
						   fake_random_below(4) == 0, 8),
				 GG_OK);
		graph_code_begin(machine, &program, &outside, memory);
		end = run(machine, &program);
		free(memory);
		free(machine);
	}
	fake_free_program(&program);
	return end;
}

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
	const char *const text = getenv(name);

	return text == NULL ? otherwise : strtoull(text, NULL, 0);
}

static int tell_the_last_case(void **state)
{
	(void)state;
	printf("last case: GANGER_SEED=%llu\n", (unsigned long long)running);
	return 0;
}

/* S2-R1, S2-R2, S2-R40, S2-R41, S2-Q2, S2-Q22: no program gets out of its tables, or runs for
 * ever. */
static void programs_stay_inside(void **state)
{
	const uint64_t seed = from_environment("GANGER_SEED", SEED);
	const uint64_t cases = from_environment("GANGER_CASES", CASES);
	uint64_t ends[ENDS] = { 0 };

	(void)state;
	printf("seed %llu, %llu cases\n", (unsigned long long)seed, (unsigned long long)cases);
	words = calloc(1, BYTES);
	for (uint64_t at = 0; at < cases; at++) {
		running = seed + at;
		fake_random_seed(running);
		ends[run_case()]++;
	}
	free(words);
	printf("%llu not verified, %llu to END, %llu to the budget, %llu refused\n",
	       (unsigned long long)ends[END_UNVERIFIED], (unsigned long long)ends[END_OVER],
	       (unsigned long long)ends[END_BUDGET], (unsigned long long)ends[END_REFUSED]);
	if (cases >= CASES) {
		/* Each kind of end is tried often enough to mean something. */
		for (uint32_t i = 0; i < ENDS; i++) {
			assert_true(ends[i] > cases / 50);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(programs_stay_inside, tell_the_last_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
