/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of graph programs: those of the control processor, compiled for the host. */
#include "host/lib/api/graph/check.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/graph/code_open.h"
#include "firmware/graph/verify.h"
#include "host/include/ganger_graph.h"
#include "host/lib/core/failure.h"

static enum gg_status tell(struct refusal refusal)
{
	return refusal.status == GG_OK
		       ? GG_OK
		       : failure_done(refusal.status, refusal.field, refusal.value, 0, 0);
}

enum gg_status program_check_tables(const void *program, uint32_t bytes)
{
	struct graph_program opened;

	return tell(graph_code_open(&opened, program, bytes));
}

static struct refusal check_all(const void *program, uint32_t bytes, uint32_t argument_count)
{
	struct graph_program opened;
	struct refusal refusal = graph_code_open(&opened, program, bytes);
	uint32_t cursor = 0;

	if (refusal.status == GG_OK && argument_count > GRAPH_ARGUMENTS)
		refusal = refusal_of(GG_ERR_GRAPH_FORMAT, GG_FIELD_GRAPH_ARGUMENT_COUNT,
				     argument_count);
	if (refusal.status == GG_OK)
		refusal = graph_code_verify(&opened, argument_count, &cursor, UINT32_MAX);
	return refusal;
}

enum gg_status gg_graph_check(const void *program, uint64_t bytes, uint32_t argument_count)
{
	NEEDS(program);

	enum gg_status status;
	void *copy;

	if (!program || bytes > UINT32_MAX)
		return failure_set(GG_ERR_ARGUMENT, "bytes", bytes,
				   "A program is given, and has less than 4 GiB");
	copy = malloc(bytes + 1); /* aligned, as the caller's need not be */
	if (!copy)
		return failure_status(GG_ERR_NO_MEMORY);
	memcpy(copy, program, bytes);
	status = tell(check_all(copy, (uint32_t)bytes, argument_count));
	free(copy);
	return status;
}
