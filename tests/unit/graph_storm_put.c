/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/graph_storm_put.h"

#include <assert.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

/* Where everything is in a place. */
#define AT_ARGUMENTS  6144u
#define AT_DESCRIPTOR 6400u
#define AT_REPORT     6656u
#define AT_SPACE      8192u

static uint32_t append(unsigned char *program, uint32_t *bytes, const void *table, uint32_t size)
{
	const uint32_t offset = *bytes;

	assert(offset + size <= AT_ARGUMENTS);
	memcpy(program + offset, table, size);
	*bytes = (offset + size + 7) / 8 * 8;
	return offset;
}

uint32_t made_put_program(const struct made_place *place, const struct fake_graph *graph,
			  uint32_t commands)
{
	unsigned char *program = fake_at(place->base);
	struct gg_graph_program header = {
		.magic = 0x50474747,
		.version = 1,
		.rules = gg_put(GG_GRAPH_PROGRAM_BLOCK_COMMANDS, commands),
		.steps = graph->step_count,
		.definitions = graph->definition_count,
		.states = graph->state_count,
		.resources = graph->resource_count,
		.variables = 64,
		.copy_state = UINT32_MAX,
		.fill_state = UINT32_MAX,
		.types = { 0, 0xffffffff },
	};
	uint32_t bytes = sizeof(header);

	header.steps_offset = append(program, &bytes, graph->steps, graph->step_count * 8);
	header.definitions_offset =
		append(program, &bytes, graph->definitions,
		       graph->definition_count * (uint32_t)sizeof(graph->definitions[0]));
	header.states_offset = append(program, &bytes, graph->states, graph->state_count * 256);
	header.resources_offset =
		append(program, &bytes, graph->resources,
		       graph->resource_count * (uint32_t)sizeof(graph->resources[0]));
	header.all_bytes = bytes;
	memcpy(program, &header, sizeof(header));
	return bytes;
}

const struct gg_graph_report *made_report(const struct made_place *place)
{
	return fake_at(place->base + AT_REPORT);
}

const struct gg_graph_pass *made_pass(const struct made_place *place, uint32_t pass)
{
	return (const struct gg_graph_pass *)(const void *)(made_report(place) + 1) + pass;
}

struct gg_tmd made_put_rest(const struct made_place *place, struct gg_graph settings, uint32_t tag)
{
	struct gg_tmd tmd = fake_own(fake_with_type(fake_tmd(1), GG_TASK_TYPE_GRID_NULL));
	uint32_t *arguments = fake_at(place->base + AT_ARGUMENTS);

	memset(fake_at(place->base + AT_REPORT), 0, AT_SPACE - AT_REPORT);
	arguments[0] = tag;
	arguments[1] = ~tag;
	settings.argument_count = 1;
	settings.arguments_lo = gg_low(place->base) + AT_ARGUMENTS;
	settings.program_lo = settings.program_bytes != 0 ? gg_low(place->base) : 0;
	settings.report_lo = gg_low(place->base) + AT_REPORT;
	settings.report_bytes = AT_SPACE - AT_REPORT;
	settings.space_lo = gg_low(place->base) + AT_SPACE;
	memcpy(fake_at(place->base + AT_DESCRIPTOR), &settings, sizeof(settings));
	tmd.header = (tmd.header & ~GG_TMD_TYPE) | gg_put(GG_TMD_TYPE, GG_TASK_TYPE_GRAPH);
	tmd.queue_lo = gg_low(place->base) + AT_DESCRIPTOR;
	device.cap->xlen = 64;
	return tmd;
}

bool made_keeps(const struct made_place *place)
{
	const struct gg_graph *settings = fake_at(place->base + AT_DESCRIPTOR);

	return gg_get(settings->mode, GG_GRAPH_KEEP) != 0;
}
