/* SPDX-License-Identifier: Apache-2.0 */
/* Also for tests/system/test_graph_reference.py. */
#include "tests/model/graph_driver.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/graph/build.h"
#include "firmware/graph/code_open.h"
#include "firmware/graph/order.h"
#include "firmware/graph/verify.h"

#define MEMORY_BYTES (1u << 22)
#define PIECE        5u /* steps, entries or elements at a time */

/** What LOAD reads: zeros. */
static const uint32_t *word(void *context, uint64_t address)
{
	static const uint32_t zero;

	(void)context;
	(void)address;
	return &zero;
}

static struct refusal make(struct graph *graph, const struct graph_program *program,
			   const struct graph_outside *outside)
{
	struct graph_machine machine;
	struct refusal refusal = refusal_none();
	uint32_t cursor = 0;

	graph_code_begin(&machine, program, outside, graph);
	while (refusal.status == GG_OK && !machine.over)
		refusal = graph_code_run(&machine, PIECE);
	while (refusal.status == GG_OK && cursor != UINT32_MAX)
		refusal = graph_build_end(graph, &cursor, PIECE);
	cursor = 0;
	while (refusal.status == GG_OK && cursor != UINT32_MAX)
		refusal = graph_order_make(graph, &cursor, PIECE);
	return refusal;
}

int graph_drive(const void *bytes, uint32_t count, const uint64_t *arguments, uint32_t many,
		uint32_t budget, uint64_t out[7])
{
	static _Alignas(8) unsigned char memory[MEMORY_BYTES];
	const struct graph_outside outside = { arguments, many, budget, word, NULL };
	struct graph *graph = (void *)memory;
	struct graph_program program;
	struct refusal refusal = graph_code_open(&program, bytes, count);
	uint32_t cursor = 0;

	while (refusal.status == GG_OK && cursor != UINT32_MAX)
		refusal = graph_code_verify(&program, many, &cursor, PIECE);
	if (refusal.status == GG_OK &&
	    graph_build_begin(
		    graph, memory, sizeof(memory), program.resources, program.header->resources,
		    gg_get(program.header->rules, GG_GRAPH_PROGRAM_UNORDERED) != 0, 8) != GG_OK)
		abort();
	if (refusal.status == GG_OK)
		refusal = make(graph, &program, &outside);
	out[0] = (uint64_t)(int64_t)refusal.status;
	out[1] = refusal.value;
	out[2] = graph->pass.used;
	out[3] = graph->reads;
	out[4] = graph->writes;
	out[5] = graph->resources_used;
	out[6] = graph->steps;
	return refusal.status;
}
