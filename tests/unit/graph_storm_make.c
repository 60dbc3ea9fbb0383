/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/graph_storm_make.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_graph.h"
#include "tests/unit/fake_run.h"
#include "tests/unit/graph_storm_put.h"

#define FIXED     6u /* buffers; then as many transients as follow */
#define TRANSIENT 4u
#define RESOURCES (FIXED + TRANSIENT)
#define STATES    4u
#define BLOCKS    (64u * 256u) /* bytes */

/* Variables. */
#define NUMBER 3u
#define FROM   63u
#define TO     62u

static struct fake_graph graph;

/* What the newest version of a resource is to those that come. */
static struct {
	uint32_t writers;
	uint32_t readers;
	uint32_t before; /* users of the version before */
	bool shared;
} newest[RESOURCES];

static uint32_t any(uint32_t count)
{
	return (uint32_t)rand() % count;
}

static bool one_in(uint32_t count)
{
	return any(count) == 0;
}

static void step(enum gg_graph_op op, uint32_t a, uint32_t b, uint32_t c, uint32_t imm)
{
	fake_graph_step(&graph, op, a, b, c, imm);
}

static void use_read(struct made *made, uint32_t resource)
{
	made->data[made->passes] |= newest[resource].writers;
	newest[resource].readers |= 1u << made->passes;
	newest[resource].shared = false;
}

static void use_write(struct made *made, uint32_t resource, bool reads, bool shares)
{
	const bool joins = shares && newest[resource].shared;

	if (reads) {
		made->data[made->passes] |= newest[resource].writers;
	}
	if (!joins) {
		newest[resource].before = newest[resource].writers | newest[resource].readers;
		newest[resource].writers = 0;
		newest[resource].readers = 0;
	}
	made->waits[made->passes] |= newest[resource].before;
	newest[resource].writers |= 1u << made->passes;
	newest[resource].shared = shares;
}

/* Declarations of a pass: each resource at most once, and no transient is read before it is written. */
static void declare(struct made *made)
{
	uint32_t seen = 0;

	for (uint32_t count = any(4); count > 0; count--) {
		const uint32_t resource = any(RESOURCES);
		const bool known = resource < FIXED || newest[resource].writers != 0;
		const uint32_t way = known ? any(4) : 2 + any(2);

		if ((seen >> resource & 1u) != 0) {
			continue;
		}
		seen |= 1u << resource;
		step(GG_GRAPH_OP_RESOURCE, FROM, 0, 0, resource);
		if (way < 2) {
			step(GG_GRAPH_OP_READ, FROM, 0, 0, 0);
		}
		if (way > 0) {
			step(way == 3 ? GG_GRAPH_OP_SHARE : GG_GRAPH_OP_WRITE, FROM, 0, 0, 0);
			use_write(made, resource, way == 1, way == 3);
		} else {
			use_read(made, resource);
		}
	}
	if (made->passes != 0 && one_in(6)) {
		const uint32_t pass = any(made->passes);

		step(GG_GRAPH_OP_AFTERI, 0, 0, 0, pass);
		made->waits[made->passes] |= 1u << pass;
	}
	if (one_in(5)) {
		step(GG_GRAPH_OP_SET, 1, 0, 0, any(12));
		step(GG_GRAPH_OP_NEED, 0, 1, any(4), 0);
	}
}

/* The kernel gets its pass, and the graph's first argument. */
static void dispatch(void)
{
	step(GG_GRAPH_OP_STATE, 0, 0, 0, any(graph.state_count));
	step(GG_GRAPH_OP_NEXT, NUMBER, 0, 0, 0);
	step(GG_GRAPH_OP_VALUE, NUMBER, 0, 4, 0);
	step(GG_GRAPH_OP_PARAMETER, 0, 0, 8, 0);
	step(GG_GRAPH_OP_DISPATCH, 0, 0, 0, 0);
}

static void end_pass(struct made *made)
{
	made->waits[made->passes] |= made->data[made->passes];
	made->passes++;
}

/* Blocks of so many commands each. */
static void write_blocks(struct made *made, uint32_t passes, uint32_t commands)
{
	while (made->passes < passes) {
		declare(made);
		for (uint32_t command = 0; command < commands; command++) {
			if (one_in(4)) {
				step(GG_GRAPH_OP_FENCE, 0, 0, 0, 0);
			} else {
				dispatch();
			}
		}
		end_pass(made);
	}
}

/* A definition that a loop invokes: pass i reads buffer i and writes the next one. */
static void write_loop(struct made *made, uint32_t passes)
{
	const uint32_t first = graph.step_count + 8;

	step(GG_GRAPH_OP_SET, 0, 0, 0, 0);
	step(GG_GRAPH_OP_SET, 1, 0, 0, passes);
	step(GG_GRAPH_OP_INDEX, FROM, 0, 0, 0);
	step(GG_GRAPH_OP_INDEX, TO, 0, 0, 1);
	step(GG_GRAPH_OP_INVOKE, 0, 0, 0, 0);
	step(GG_GRAPH_OP_ADDI, 0, 0, 0, 1);
	step(GG_GRAPH_OP_JLT, 0, 1, 0, first - 6);
	step(GG_GRAPH_OP_END, 0, 0, 0, 0);
	step(GG_GRAPH_OP_READ, FROM, 0, 0, 0);
	step(GG_GRAPH_OP_WRITE, TO, 0, 0, 0);
	for (uint32_t command = any(3) + 1; command > 0; command--) {
		dispatch();
	}
	graph.definitions[graph.definition_count++] =
		(struct gg_graph_definition){ .first = first, .count = graph.step_count - first };
	while (made->passes < passes) {
		const uint32_t from = made->passes;

		use_read(made, from);
		use_write(made, from + 1, false, false);
		end_pass(made);
	}
}

static void write_tables(const struct made_place *place)
{
	fake_graph_begin(&graph);
	for (uint32_t state = any(STATES) + 1; state > 0; state--) {
		struct gg_tmd tmd = fake_tmd(any(6) + 1);

		tmd.header |= one_in(4) ? GG_TMD_SEQUENTIAL : 0;
		tmd.header |= one_in(4) ? GG_TMD_HEAD : 0;
		tmd.header |= one_in(20) ? GG_TMD_THROTTLE : 0;
		tmd.shared_bytes = one_in(4) ? any(32768) : 0;
		fake_graph_state(&graph, tmd);
	}
	for (uint32_t resource = 0; resource < FIXED; resource++) {
		graph.resources[graph.resource_count++] = (struct gg_graph_resource){
			.kind = GG_GRAPH_RESOURCE_KIND_FIXED,
			.address_lo = gg_low(place->buffer) + resource * 64,
			.bytes_lo = 64,
		};
	}
	for (uint32_t resource = 0; resource < TRANSIENT; resource++) {
		fake_graph_transient(&graph, any(2000) + 1);
	}
}

/* How it is run; what is too much is refused, too. */
static void set_limits(struct gg_graph *settings)
{
	settings->mode = any(3) == 0 ? GG_GRAPH_EMPHASIS_RESOURCE : GG_GRAPH_EMPHASIS_SPEED;
	settings->time_limit_ms = one_in(10) ? 1 : 0;
	settings->split_ctas = any(3);
	settings->at_once = one_in(3) ? any(4) : 0;
	for (uint32_t kind = 0; kind < 4; kind++) {
		settings->budgets[kind] = one_in(4) ? any(20) + 1 : 0;
	}
	settings->space_bytes_lo = BLOCKS + (one_in(4) ? 1024 + any(2048) : 8192);
}

struct gg_tmd made_put(const struct made_place *place, struct made *made, uint32_t tag,
		       uint32_t handle)
{
	const uint32_t commands = any(3) + 1;
	struct gg_graph settings = { .handle = handle };

	set_limits(&settings);
	if (handle == 0) {
		memset(made, 0, sizeof(*made));
		memset(newest, 0, sizeof(newest));
		write_tables(place);
		if (one_in(3)) {
			write_loop(made, any(FIXED - 1) + 1);
		} else {
			write_blocks(made, any(MADE_PASSES - 8) + 1, commands);
			step(GG_GRAPH_OP_END, 0, 0, 0, 0);
		}
		settings.program_bytes = made_put_program(place, &graph, commands);
		settings.mode |= one_in(5) ? GG_GRAPH_KEEP : 0;
	}
	return made_put_rest(place, settings, tag);
}

struct gg_tmd made_put_small(const struct made_place *place)
{
	struct gg_graph settings = { 0 };

	write_tables(place);
	for (uint32_t pass = any(3) + 1; pass > 0; pass--) {
		dispatch();
	}
	step(GG_GRAPH_OP_END, 0, 0, 0, 0);
	settings.space_bytes_lo = BLOCKS;
	settings.program_bytes = made_put_program(place, &graph, 1);
	return made_put_rest(place, settings, 0);
}
