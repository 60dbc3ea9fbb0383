/* SPDX-License-Identifier: Apache-2.0 */
/* Graph programs for tests. */
#include "tests/unit/fake_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/graph/build.h"
#include "firmware/graph/code_open.h"
#include "firmware/graph/verify.h"

#define MEMORY 65536u

struct fake_made made;

static uint64_t memory[MEMORY / 8];

static const uint32_t *word(void *context, uint64_t address)
{
	const uint64_t offset = address - FAKE_BASE;

	assert_ptr_equal(context, &made);
	assert_int_equal(address % 4, 0);
	return offset < FAKE_BYTES ? &made.words[offset / 4] : NULL;
}

static void fill_header(struct gg_graph_program *header)
{
	*header = (struct gg_graph_program){
		.magic = GRAPH_MAGIC,
		.version = GRAPH_VERSION,
		.all_bytes = sizeof(struct fake_program),
		.rules = gg_put(GG_GRAPH_PROGRAM_BLOCK_COMMANDS, 1),
		.steps_offset = offsetof(struct fake_program, steps),
		.definitions_offset = offsetof(struct fake_program, definitions),
		.states_offset = offsetof(struct fake_program, states),
		.states = FAKE_STATES,
		.resources_offset = offsetof(struct fake_program, resources),
		.resources = FAKE_RESOURCES,
		.variables = FAKE_VARIABLES,
		.copy_state = GRAPH_NO_STATE,
		.fill_state = FAKE_STATES - 1,
		.types = { 0xff00, 0 },
	};
}

void fake_begin(struct fake_program *program)
{
	memset(program, 0, sizeof(*program));
	memset(&made, 0, sizeof(made));
	fill_header(&program->header);
	for (uint32_t i = 0; i + 1 < FAKE_RESOURCES; i++) {
		program->resources[i] = (struct gg_graph_resource){
			.kind = GG_GRAPH_RESOURCE_KIND_FIXED,
			.address_lo = FAKE_BASE,
			.bytes_lo = FAKE_BYTES,
		};
	}
	program->resources[0].kind = GG_GRAPH_RESOURCE_KIND_ARGUMENT;
	program->resources[0].address_lo = 0;
	program->resources[FAKE_TRANSIENT].kind = GG_GRAPH_RESOURCE_KIND_TRANSIENT;
	program->resources[FAKE_TRANSIENT].address_lo = 0;
	made.arguments[0] = FAKE_BASE;
	made.arguments[1] = 7;
	made.outside = (struct graph_outside){
		.arguments = made.arguments, .argument_count = 2, .word = word, .context = &made
	};
	made.piece = UINT32_MAX;
}

uint32_t fake_step(struct fake_program *program, enum gg_graph_op op, uint32_t a, uint32_t b,
		   uint32_t c, uint32_t imm)
{
	assert_true(program->header.steps < FAKE_STEPS);
	program->steps[program->header.steps] = (struct gg_graph_step){
		.what = gg_put(GG_GRAPH_STEP_OP, op) | gg_put(GG_GRAPH_STEP_A, a) |
			gg_put(GG_GRAPH_STEP_B, b) | gg_put(GG_GRAPH_STEP_C, c),
		.imm = imm,
	};
	return program->header.steps++;
}

void fake_name_resources(struct fake_program *program, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		fake_step(program, GG_GRAPH_OP_RESOURCE, R(i), 0, 0, i);
	}
}

void fake_pass(struct fake_program *program, uint32_t from, uint32_t to)
{
	fake_step(program, GG_GRAPH_OP_READ, R(from), 0, 0, 0);
	fake_step(program, GG_GRAPH_OP_WRITE, R(to), 0, 0, 0);
	fake_step(program, GG_GRAPH_OP_DISPATCH, 0, 0, 0, 0);
}

uint32_t fake_define(struct fake_program *program, uint32_t first)
{
	program->definitions[program->header.definitions] = (struct gg_graph_definition){
		.first = first,
		.count = program->header.steps - first,
		.id = 0xffffffff,
	};
	return program->header.definitions++;
}

void fake_land(struct fake_program *program, uint32_t step)
{
	program->steps[step].imm = program->header.steps;
}

struct refusal fake_verify(const struct fake_program *program, uint32_t budget)
{
	struct refusal refusal = graph_code_open(&made.program, program, sizeof(*program));
	uint32_t cursor = 0;

	while (refusal.status == GG_OK && cursor != UINT32_MAX) {
		refusal = graph_code_verify(&made.program, made.outside.argument_count, &cursor,
					    budget);
	}
	return refusal;
}

static struct refusal run(void)
{
	struct refusal refusal = refusal_none();
	uint32_t cursor = 0;

	made.graph = (struct graph *)(void *)memory;
	assert_int_equal(graph_build_begin(made.graph, memory, sizeof(memory),
					   made.program.resources, FAKE_RESOURCES, false, 8),
			 GG_OK);
	graph_code_begin(&made.machine, &made.program, &made.outside, made.graph);
	while (refusal.status == GG_OK && !made.machine.over) {
		refusal = graph_code_run(&made.machine, made.piece);
	}
	while (refusal.status == GG_OK && cursor != UINT32_MAX) {
		refusal = graph_build_end(made.graph, &cursor, 1);
	}
	return refusal;
}

struct refusal fake_make(const struct fake_program *program)
{
	const struct refusal refusal = fake_verify(program, UINT32_MAX);

	return refusal.status == GG_OK ? run() : refusal;
}

void fake_make_well(const struct fake_program *program)
{
	fake_assert(fake_make(program), GG_OK, 0, 0);
}

static bool uses(uint32_t pass, uint32_t resource, bool writes)
{
	const struct graph_pass *const one = &made.graph->passes[pass];
	bool found = false;

	assert_true(pass < made.graph->pass.used);
	for (uint32_t i = 0; i < one->accesses; i++) {
		const struct graph_access *const access =
			&made.graph->accesses[one->first_access + i];
		const bool counts =
			writes ? access->use == GRAPH_USE_WRITE
			       : access->use == GRAPH_USE_READ || access->use == GRAPH_USE_UPDATE;

		found |= counts && made.graph->versions[access->version].resource == resource;
	}
	return found;
}

bool fake_reads(uint32_t pass, uint32_t resource)
{
	return uses(pass, resource, false);
}

bool fake_writes(uint32_t pass, uint32_t resource)
{
	return uses(pass, resource, true);
}

const struct graph_command *fake_command(uint32_t pass, uint32_t command)
{
	assert_true(pass < made.graph->pass.used);
	assert_true(command < made.graph->passes[pass].commands);
	return &made.graph->commands[made.graph->passes[pass].first_command + command];
}

const struct graph_value *fake_value(const struct graph_command *command, uint32_t value)
{
	assert_true(value < command->values);
	return &made.graph->values[command->first_value + value];
}

void fake_assert(struct refusal refusal, enum gg_status status, uint32_t field, uint64_t value)
{
	assert_int_equal(refusal.status, status);
	assert_int_equal(refusal.field, field);
	assert_int_equal(refusal.value, value);
}
