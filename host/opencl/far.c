/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/far.h"

#define WAIT_MS 600000u
#define PIECE   (UINT64_C(1) << 30) /* A pass has 32 bits for its bytes. */

/** What is moved. */
struct move {
	uint64_t to, from;
	uint32_t bytes, word;
	bool fills;
};

/** Adds the pass. */
static enum gg_status build(struct gg_task_graph *graph, const struct move *move)
{
	uint32_t to, from = 0, pass;
	enum gg_status status = gg_graph_buffer(graph, move->to, move->bytes, &to);

	if (status == GG_OK && !move->fills)
		status = gg_graph_buffer(graph, move->from, move->bytes, &from);
	if (status == GG_OK)
		status = gg_graph_use(graph, GG_GRAPH_OP_WRITE, to);
	if (status == GG_OK && !move->fills)
		status = gg_graph_use(graph, GG_GRAPH_OP_READ, from);
	if (status == GG_OK)
		status = move->fills ? gg_graph_fill(graph, to, move->word, move->bytes)
				     : gg_graph_copy(graph, to, from, move->bytes);
	return status == GG_OK ? gg_graph_end(graph, &pass) : status;
}

/** Runs the graph to its end. */
static enum gg_status run(cl_device_id device, struct gg_task_graph *graph)
{
	struct gg_graph_run how = { 0 };
	struct gg_work work = { .type = GG_TASK_TYPE_GRAPH,
				.context = device->context,
				.graph = &how };
	struct gg_task *task;
	enum gg_status status = gg_graph_program(graph, &how.program, &how.program_bytes);

	if (status == GG_OK)
		status = gg_submit(&work, WAIT_MS, &task);
	if (status != GG_OK)
		return status;
	status = gg_task_wait(task, WAIT_MS, NULL);
	(void)gg_task_release(task);
	return status;
}

static bool move_piece(cl_device_id device, const struct move *move)
{
	struct gg_task_graph *graph;
	enum gg_status status = gg_graph_create(device->context, &graph);

	if (status != GG_OK)
		return false;
	status = build(graph, move);
	if (status == GG_OK)
		status = run(device, graph);
	(void)gg_graph_destroy(graph);
	return status == GG_OK;
}

static bool move_all(cl_device_id device, const struct move *all, uint64_t bytes)
{
	bool moved = (device->info.features >> GG_FEATURE_GRAPHS & 1) != 0;

	for (uint64_t done = 0; moved && done < bytes; done += PIECE) {
		struct move piece = *all;
		uint64_t left = bytes - done;

		piece.to += done;
		piece.from += done;
		piece.bytes = (uint32_t)(left < PIECE ? left : PIECE);
		moved = move_piece(device, &piece);
	}
	return moved;
}

bool far_copy(cl_device_id device, uint64_t to, uint64_t from, uint64_t bytes)
{
	return move_all(device, &(const struct move){ .to = to, .from = from }, bytes);
}

bool far_fill(cl_device_id device, uint64_t to, uint32_t word, uint64_t bytes)
{
	return move_all(device, &(const struct move){ .to = to, .word = word, .fills = true },
			bytes);
}
