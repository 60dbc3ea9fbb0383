/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/graph/graph_report.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/graph/graph_decode.h"

static void write_pass(struct gg_graph_pass *words, const struct graph_pass *pass)
{
	words->state = gg_put(GG_GRAPH_PASS_STATE, pass->state) |
		       gg_put(GG_GRAPH_PASS_DEFINITION, pass->definition);
	words->status = (uint32_t)pass->status;
	words->step = pass->step;
	words->cause = pass->cause == GRAPH_NONE ? 0 : pass->cause + 1;
	gg_split(&words->ctas_lo, &words->ctas_hi, pass->ctas);
	words->estimate = pass->estimate;
	words->units = pass->needs[GG_GRAPH_NEED_UNITS];
	gg_split(&words->ready_lo, &words->ready_hi, pass->ready_at);
	gg_split(&words->started_lo, &words->started_hi, pass->started_at);
	gg_split(&words->ended_lo, &words->ended_hi, pass->ended_at);
}

static void write_head(struct gg_graph_report *words, const struct graph_image *image)
{
	const struct graph *graph = &image->graph;

	words->passes = graph->pass.used;
	words->resources = graph->resources_used;
	words->reads = graph->reads;
	words->writes = graph->writes;
	words->steps = graph->steps;
	words->failed = image->run.failed;
	words->skipped = image->run.skipped;
	words->at_once = image->run.most_at_once;
	gg_split(&words->sum_lo, &words->sum_hi, graph->sum_bytes);
	gg_split(&words->peak_lo, &words->peak_hi, graph->peak_bytes);
	gg_split(&words->started_lo, &words->started_hi, image->started);
	gg_split(&words->made_lo, &words->made_hi, image->made);
}

void graph_report_write(struct task *task, uint32_t *cursor, uint32_t budget)
{
	const struct gg_graph *settings = &task->graph->settings;
	const struct graph_image *image = task->graph->image;
	const uint64_t address = gg_join(settings->report_lo, settings->report_hi);
	const uint32_t bytes = settings->report_bytes;
	struct gg_graph_report *head =
		bytes >= sizeof(*head) ? graph_decode_memory(task, address, bytes) : NULL;

	if (head == NULL) {
		*cursor = UINT32_MAX;
		return;
	}
	const uint32_t room =
		(bytes - (uint32_t)sizeof(*head)) / (uint32_t)sizeof(struct gg_graph_pass);
	const uint32_t most = image->graph.pass.used < room ? image->graph.pass.used : room;
	struct gg_graph_pass *passes = (struct gg_graph_pass *)(head + 1);

	for (uint32_t step = 0; step < budget && *cursor < most; step++, (*cursor)++) {
		write_pass(&passes[*cursor], &image->graph.passes[*cursor]);
	}
	if (*cursor >= most) {
		write_head(head, image);
		*cursor = UINT32_MAX;
	}
}
