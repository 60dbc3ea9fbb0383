/* SPDX-License-Identifier: Apache-2.0 */
/* Graph programs that a program in C loads, and checks as the device does: the first byte is how many kernels, or
 * arguments, are given, the others are the program.
 * sources: host/lib/api/graph/program.c host/lib/api/graph/build.c host/lib/api/graph/check.c host/lib/work/graph_build.c
 * firmware/graph/op.c firmware/graph/code_open.c firmware/graph/verify.c
 * host/lib/core/handle.c host/lib/core/failure.c host/lib/core/names.c host/common/deadline.c */
#include <stdlib.h>
#include <string.h>

#include "host/include/ganger_graph.h"
#include "host/lib/core/handle.h"
#include "host/lib/mailbox/context.h"
#include "host/lib/work/request.h"
#include "tests/fuzz/fuzz.h"

#define STATES_MOST 256u

static struct context context;
static const struct handle_type context_type = { .kind = HANDLE_CONTEXT };

/* What needs a device: each of the given kernels is a good one. */

enum gg_status request_open(struct request *request, const struct gg_work *work)
{
	(void)work;
	memset(request, 0, sizeof(*request));
	return GG_OK;
}

enum gg_status request_kernel(const struct request *request, const struct device *device,
			      const struct kernel **kernel)
{
	(void)request;
	(void)device;
	*kernel = NULL;
	return GG_OK;
}

void request_close(struct request *request)
{
	(void)request;
}

enum gg_status gg_graph_state(const struct gg_work *work, struct gg_tmd *state)
{
	(void)work;
	memset(state, 0xa5, sizeof(*state));
	return GG_OK;
}

enum gg_status gg_graph_moves(struct gg_context *handle, struct gg_tmd *copy, struct gg_tmd *fill)
{
	(void)handle;
	memset(copy, 0, sizeof(*copy));
	memset(fill, 0, sizeof(*fill));
	return GG_OK;
}

/** Looks at a program that was taken: all of its states must lie in it, filled. */
static void check(struct gg_task_graph *graph, uint32_t count, size_t given)
{
	struct gg_graph_program header;
	const uint8_t *states;
	const void *program;
	uint64_t bytes;
	uint32_t pass;

	if (gg_graph_program(graph, &program, &bytes) != GG_OK || bytes > given)
		abort();
	memcpy(&header, program, sizeof(header));
	states = (const uint8_t *)program + header.states_offset;
	for (size_t i = 0; i < count * sizeof(struct gg_tmd); i++) {
		if (states[i] != 0xa5)
			abort();
	}
	(void)!gg_graph_fence(graph);
	(void)!gg_graph_end(graph, &pass);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static const struct gg_work works[STATES_MOST];
	struct gg_task_graph *graph;

	if (!context.handle)
		context.handle = handle_make(&context_type, &context, NULL);
	if (bytes == 0)
		return 0;
	(void)!gg_graph_check(data + 1, bytes - 1, data[0]);
	if (gg_graph_load(context.handle, data + 1, bytes - 1, works, data[0], &graph) == GG_OK) {
		check(graph, data[0], bytes - 1);
		if (gg_graph_destroy(graph) != GG_OK)
			abort();
	}
	return 0;
}
