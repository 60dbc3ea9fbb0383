/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills by the device itself: task graphs of one pass. */
#include <inttypes.h>

#include "host/common/deadline.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/memory.h"
#include "host/lib/work/graph_build.h"
#include "host/lib/work/request.h"

#define PIECE      (UINT64_C(1) << 30) /* A pass has 32 bits for its bytes. */
#define HOST_BYTES 4096u               /* Of a piece that goes through the host. */

/** What is moved. */
struct move {
	struct context *context;
	uint64_t to, from; /* Addresses; `from` of copies. */
	uint32_t word;     /* Of fills. */
	bool fills;
};

/* ---- On the device ---------------------------------------------------------------------- */

/** Adds the pass. */
static enum gg_status build(struct gg_task_graph *graph, const struct move *move, uint32_t bytes)
{
	uint32_t to, from = 0, pass;
	enum gg_status status = gg_graph_buffer(graph, move->to, bytes, &to);

	if (status == GG_OK && !move->fills)
		status = gg_graph_buffer(graph, move->from, bytes, &from);
	if (status == GG_OK)
		status = gg_graph_use(graph, GG_GRAPH_OP_WRITE, to);
	if (status == GG_OK && !move->fills)
		status = gg_graph_use(graph, GG_GRAPH_OP_READ, from);
	if (status == GG_OK)
		status = move->fills ? gg_graph_fill(graph, to, move->word, bytes)
				     : gg_graph_copy(graph, to, from, bytes);
	return status == GG_OK ? gg_graph_end(graph, &pass) : status;
}

/** Runs the graph to its end. */
static enum gg_status run(struct gg_context *context, struct gg_task_graph *graph,
			  uint64_t deadline)
{
	struct gg_graph_run how = { 0 };
	struct gg_work work = { .type = GG_TASK_TYPE_GRAPH, .context = context, .graph = &how };
	struct gg_task *task;
	enum gg_status status = gg_graph_program(graph, &how.program, &how.program_bytes);

	if (status == GG_OK)
		status = gg_submit(&work, deadline_left(deadline, UINT32_MAX), &task);
	if (status != GG_OK)
		return status;
	status = gg_task_wait(task, deadline_left(deadline, UINT32_MAX), NULL);
	(void)gg_task_release(task);
	return status;
}

static enum gg_status move_piece(const struct move *move, uint32_t bytes, uint64_t deadline)
{
	struct gg_context *context = move->context->handle;
	struct gg_task_graph *graph;
	enum gg_status status = gg_graph_create(context, &graph);

	if (status != GG_OK)
		return status;
	status = build(graph, move, bytes);
	if (status == GG_OK)
		status = run(context, graph, deadline);
	(void)gg_graph_destroy(graph);
	return status;
}

/* ---- Through the host ------------------------------------------------------------------- */

static enum gg_status move_by_host(const struct move *move, uint32_t bytes)
{
	struct device *device = move->context->device;
	uint32_t words[HOST_BYTES / sizeof(uint32_t)];
	enum gg_status status = GG_OK;

	if (!move->fills)
		status = memory_read(device, move->from, words, bytes);
	for (size_t i = 0; move->fills && i < HOST_BYTES / sizeof(uint32_t); i++)
		words[i] = move->word;
	return status == GG_OK ? memory_write(device, move->to, words, bytes) : status;
}

/* ---- All of it -------------------------------------------------------------------------- */

/** Moves piece by piece. The failure is set. */
static enum gg_status move_all(struct move *move, uint64_t bytes, uint32_t timeout_ms)
{
	const uint64_t deadline = deadline_after(timeout_ms);
	const bool here = (move->context->device->cap.features >> GG_FEATURE_GRAPHS & 1) != 0;
	enum gg_status status = GG_OK;

	for (uint64_t done = 0; status == GG_OK && done < bytes;) {
		uint64_t most = here ? PIECE : HOST_BYTES;
		uint32_t piece = (uint32_t)(bytes - done < most ? bytes - done : most);

		if (!here && deadline_left(deadline, 1) == 0 && done > 0)
			return failure_status(GG_ERR_TIMEOUT);
		status = here ? move_piece(move, piece, deadline) : move_by_host(move, piece);
		done += piece;
		move->to += piece;
		move->from += piece;
	}
	return status;
}

/** Checks where bytes go to, and that this process may write there. */
static enum gg_status check_target(const struct context *context, uint64_t to, uint64_t bytes)
{
	return context->device->observer ? failure_status(GG_ERR_BUSY)
					 : memory_check_context(context, "to", to, bytes);
}

enum gg_status gg_context_copy(struct gg_context *handle, uint64_t to, uint64_t from,
			       uint64_t bytes, uint32_t timeout_ms)
{
	USE_CONTEXT(context, handle);

	struct move move = { .context = context, .to = to, .from = from };
	enum gg_status status = check_target(context, to, bytes);

	if (status == GG_OK)
		status = memory_check_context(context, "from", from, bytes);
	if (status == GG_OK && bytes > 0 && to < from + bytes && from < to + bytes)
		status = failure_set(GG_ERR_ARGUMENT, "from", from,
				     "The two ranges of %" PRIu64
				     " bytes overlap: copy to another place first",
				     bytes);
	return status == GG_OK ? move_all(&move, bytes, timeout_ms) : status;
}

enum gg_status gg_context_fill(struct gg_context *handle, uint64_t to, uint32_t word,
			       uint64_t bytes, uint32_t timeout_ms)
{
	USE_CONTEXT(context, handle);

	struct move move = { .context = context, .to = to, .word = word, .fills = true };
	enum gg_status status = check_target(context, to, bytes);

	return status == GG_OK ? move_all(&move, bytes, timeout_ms) : status;
}
