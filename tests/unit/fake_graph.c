/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_graph.h"

#include <assert.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define NONE   UINT32_MAX
#define BLOCKS (64u * 256u)

void fake_graph_begin(struct fake_graph *graph)
{
	memset(graph, 0, sizeof(*graph));
	graph->variables = 64;
	graph->resources_at = 32;
	graph->space_bytes = BLOCKS + 16384;
	graph->report_passes = 64;
}

uint32_t fake_graph_fresh(struct fake_graph *graph, uint32_t sms, uint32_t ctas)
{
	fake_device_init(sms);
	fake_graph_begin(graph);
	return fake_graph_state(graph, fake_tmd(ctas));
}

void fake_graph_run(struct fake_graph *graph, uint32_t tag)
{
	const struct gg_tmd tmd = fake_graph_put(graph);

	fake_run(tag, &tmd);
	fake_settle(200);
}

void fake_graph_refused(enum gg_status status, uint32_t field, uint64_t value)
{
	const struct gg_completion completion = fake_expect(1, status);

	assert(completion.field == field);
	assert(gg_join(completion.value_lo, completion.value_hi) == value);
	assert(completion.fault == 0);
	assert(fake_take_all() == 0);
	assert(task_pool_free() == task_pool_capacity());
}

void fake_graph_step(struct fake_graph *graph, enum gg_graph_op op, uint32_t a, uint32_t b,
		     uint32_t c, uint32_t imm)
{
	assert(graph->step_count < FAKE_STEPS);
	graph->steps[graph->step_count++] = (struct gg_graph_step){
		.what = (uint32_t)op | a << 8 | b << 16 | c << 24,
		.imm = imm,
	};
}

uint32_t fake_graph_state(struct fake_graph *graph, struct gg_tmd tmd)
{
	graph->states[graph->state_count] = fake_own(tmd);
	return graph->state_count++;
}

uint32_t fake_graph_buffer(struct fake_graph *graph, uint32_t bytes)
{
	graph->resources[graph->resource_count] = (struct gg_graph_resource){
		.kind = GG_GRAPH_RESOURCE_KIND_FIXED,
		.address_lo = (uint32_t)fake_alloc(bytes),
		.bytes_lo = bytes,
	};
	return graph->resource_count++;
}

uint32_t fake_graph_transient(struct fake_graph *graph, uint32_t bytes)
{
	graph->resources[graph->resource_count] = (struct gg_graph_resource){
		.kind = GG_GRAPH_RESOURCE_KIND_TRANSIENT,
		.bytes_lo = bytes,
	};
	return graph->resource_count++;
}

void fake_graph_use(struct fake_graph *graph, enum gg_graph_op op, uint32_t resource)
{
	fake_graph_step(graph, GG_GRAPH_OP_RESOURCE, 63, 0, 0, resource);
	fake_graph_step(graph, op, 63, 0, 0, 0);
}

void fake_graph_pass(struct fake_graph *graph, uint32_t state, uint32_t from, uint32_t to)
{
	if (from != NONE) {
		fake_graph_use(graph, GG_GRAPH_OP_READ, from);
	}
	if (to != NONE) {
		fake_graph_use(graph, GG_GRAPH_OP_WRITE, to);
	}
	fake_graph_step(graph, GG_GRAPH_OP_STATE, 0, 0, 0, state);
	fake_graph_step(graph, GG_GRAPH_OP_DISPATCH, 0, 0, 0, 0);
}

/** A table that is appended to the program. */
static uint32_t append(unsigned char *program, uint32_t *bytes, const void *table, uint32_t size)
{
	const uint32_t offset = *bytes;

	memcpy(program + offset, table, size);
	*bytes = (offset + size + 7) / 8 * 8;
	return offset;
}

static uint64_t put_program(struct fake_graph *graph, uint32_t *bytes)
{
	static unsigned char program[sizeof(struct fake_graph)];
	struct gg_graph_program header = {
		.magic = 0x50474747,
		.version = 1,
		.rules = gg_put(GG_GRAPH_PROGRAM_BLOCK_COMMANDS, 1) |
			 gg_put(GG_GRAPH_PROGRAM_UNORDERED, graph->unordered),
		.steps = graph->step_count,
		.definitions = graph->definition_count,
		.states = graph->state_count,
		.resources = graph->resource_count,
		.variables = graph->variables,
		.copy_state = graph->moves ? 0 : NONE,
		.fill_state = graph->moves ? 0 : NONE,
		.types = { 0, 0xffffffff },
	};

	assert(graph->resources_at == 32);
	*bytes = (sizeof(header) + 7) / 8 * 8;
	header.steps_offset = append(program, bytes, graph->steps, graph->step_count * 8);
	header.definitions_offset =
		append(program, bytes, graph->definitions,
		       graph->definition_count * (uint32_t)sizeof(graph->definitions[0]));
	header.states_offset = append(program, bytes, graph->states, graph->state_count * 256);
	header.resources_offset =
		append(program, bytes, graph->resources,
		       graph->resource_count * (uint32_t)sizeof(graph->resources[0]));
	header.all_bytes = *bytes;
	memcpy(program, &header, sizeof(header));

	const uint64_t address = fake_alloc(*bytes);

	memcpy(fake_at(address), program, *bytes);
	return address;
}

struct gg_tmd fake_graph_put(struct fake_graph *graph)
{
	struct gg_graph *settings = &graph->settings;

	struct gg_tmd tmd = fake_own(fake_with_type(fake_tmd(1), GG_TASK_TYPE_GRID_NULL));
	const uint32_t report_bytes =
		(uint32_t)(sizeof(struct gg_graph_report) +
			   graph->report_passes * sizeof(struct gg_graph_pass));
	const uint64_t address = fake_alloc(sizeof(*settings));
	const uint64_t arguments = fake_alloc(sizeof(graph->arguments));

	device.cap->xlen = 64;

	if (settings->handle == 0) {
		fake_graph_step(graph, GG_GRAPH_OP_END, 0, 0, 0, 0);
		settings->program_lo = (uint32_t)put_program(graph, &settings->program_bytes);
	} else {
		settings->program_lo = settings->program_bytes = 0;
	}
	memcpy(fake_at(arguments), graph->arguments, sizeof(graph->arguments));
	graph->space = fake_alloc(graph->space_bytes);
	graph->report = fake_alloc(report_bytes);
	settings->argument_count = graph->argument_count;
	settings->arguments_lo = graph->argument_count != 0 ? (uint32_t)arguments : 0;
	settings->space_lo = (uint32_t)graph->space;
	settings->space_bytes_lo = graph->space_bytes;
	settings->report_lo = (uint32_t)graph->report;
	settings->report_bytes = report_bytes;
	memcpy(fake_at(address), settings, sizeof(*settings));
	tmd.header =
		(tmd.header & ~(uint32_t)GG_TMD_TYPE) | gg_put(GG_TMD_TYPE, GG_TASK_TYPE_GRAPH);
	tmd.queue_lo = (uint32_t)address;
	return tmd;
}

uint64_t fake_graph_put_again(struct fake_graph *graph)
{
	graph->step_count -= graph->step_count != 0 &&
			     gg_get(graph->steps[graph->step_count - 1].what, GG_GRAPH_STEP_OP) ==
				     GG_GRAPH_OP_END;

	const struct gg_tmd tmd = fake_graph_put(graph);

	return fake_put_tmd(&tmd);
}

void fake_graph_post(uint32_t tag, uint64_t address)
{
	fake_post(0, (struct gg_command){ .header = GG_OPCODE_SUBMIT,
					  .tag = tag,
					  .address_lo = (uint32_t)address });
}

const struct gg_graph_report *fake_graph_report(const struct fake_graph *graph)
{
	return fake_at(graph->report);
}

const struct gg_graph_pass *fake_graph_pass_report(const struct fake_graph *graph, uint32_t pass)
{
	return (const struct gg_graph_pass *)(const void *)(fake_graph_report(graph) + 1) + pass;
}
