/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/graph_words.h"

#include <string.h>

#include "firmware/abi/field.h"
#include "host/lib/core/failure.h"

#define PROGRAM_MAX (16u << 20) /* bytes: more than any program within the device's limits */
#define PASSES_MAX  65535u
#define GRAIN       16u

static uint32_t round_up(uint32_t bytes)
{
	return (bytes + GRAIN - 1) / GRAIN * GRAIN;
}

static enum gg_status check_sizes(const struct gg_graph_run *run)
{
	if (run->argument_count > GG_GRAPH_ARGUMENTS_MAX)
		return failure_done(GG_ERR_GRAPH_FORMAT, GG_FIELD_GRAPH_ARGUMENT_COUNT,
				    run->argument_count, 0, 0);
	if (run->program_bytes > PROGRAM_MAX || run->program_bytes % 8 != 0)
		return failure_done(GG_ERR_GRAPH_FORMAT, GG_FIELD_GRAPH_PROGRAM_BYTES,
				    run->program_bytes, 0, 0);
	if (run->space_bytes >> 48 != 0)
		return failure_done(GG_ERR_GRAPH_FORMAT, GG_FIELD_GRAPH_SPACE_BYTES,
				    run->space_bytes, 0, 0);
	if (run->report_passes > PASSES_MAX)
		return failure_set(GG_ERR_ARGUMENT, "report_passes", run->report_passes,
				   "A graph has at most %u passes", PASSES_MAX);
	return GG_OK;
}

enum gg_status graph_check(const struct gg_work *work)
{
	const struct gg_graph_run *run = work->graph;

	if ((run != NULL) != (work->type == GG_TASK_TYPE_GRAPH))
		return failure_done(GG_ERR_TMD_TYPE, GG_FIELD_TMD_TYPE, work->type, 0, 0);
	if (!run)
		return GG_OK;
	if (work->module || work->range)
		return failure_set(
			GG_ERR_ARGUMENT, work->module ? "module" : "range", 0,
			"The kernels and ranges of a graph are in its program, not in the work");
	if ((run->program != NULL) != (run->program_bytes != 0))
		return failure_set(GG_ERR_ARGUMENT, "program_bytes", run->program_bytes,
				   "A program needs its size, and a size needs its program");
	if (run->argument_count > 0 && !run->arguments)
		return failure_set(GG_ERR_ARGUMENT, "arguments", 0,
				   "argument_count is not 0, but there are no arguments");
	return check_sizes(run);
}

static uint32_t arguments_at(void)
{
	return round_up((uint32_t)sizeof(struct gg_graph));
}

static uint32_t program_at(const struct gg_graph_run *run)
{
	return arguments_at() + round_up(run->argument_count * (uint32_t)sizeof(uint64_t));
}

uint32_t graph_bytes(const struct gg_work *work)
{
	const struct gg_graph_run *run = work->graph;

	return run ? program_at(run) + round_up((uint32_t)run->program_bytes) : 0;
}

/** Bytes of the work space, rounded up so that the report behind it is aligned. */
static uint64_t space_bytes(const struct gg_graph_run *run)
{
	uint64_t bytes = GG_GRAPH_BLOCKS_BYTES + run->space_bytes;

	return (bytes + GRAPH_ALIGN - 1) / GRAPH_ALIGN * GRAPH_ALIGN;
}

uint32_t graph_report_bytes(const struct gg_work *work)
{
	const struct gg_graph_run *run = work->graph;

	if (!run || run->report_passes == 0)
		return 0;
	return (uint32_t)sizeof(struct gg_graph_report) +
	       run->report_passes * (uint32_t)sizeof(struct gg_graph_pass);
}

uint64_t graph_tail_bytes(const struct gg_work *work)
{
	return work->graph ? space_bytes(work->graph) + graph_report_bytes(work) : 0;
}

static void fill_numbers(struct gg_graph *words, const struct gg_graph_run *run)
{
	words->mode = gg_put(GG_GRAPH_EMPHASIS, run->emphasis) |
		      gg_put(GG_GRAPH_KEEP, run->keep != 0) | run->raw_mode;
	words->handle = run->handle;
	words->program_bytes = (uint32_t)run->program_bytes;
	words->argument_count = run->argument_count;
	words->step_budget = run->step_budget;
	words->time_limit_ms = run->time_limit_ms;
	words->split_ctas = run->split_ctas;
	words->at_once = run->at_once;
	memcpy(words->budgets, run->budgets, sizeof(words->budgets));
}

void graph_write(const struct gg_work *work, void *to, uint64_t address, uint64_t tail)
{
	const struct gg_graph_run *run = work->graph;
	uint8_t *bytes = to;
	struct gg_graph words = { 0 };

	fill_numbers(&words, run);
	if (run->program) {
		memcpy(bytes + program_at(run), run->program, run->program_bytes);
		gg_split(&words.program_lo, &words.program_hi, address + program_at(run));
	}
	if (run->argument_count > 0) {
		memcpy(bytes + arguments_at(), run->arguments,
		       run->argument_count * sizeof(run->arguments[0]));
		gg_split(&words.arguments_lo, &words.arguments_hi, address + arguments_at());
	}
	gg_split(&words.space_lo, &words.space_hi, tail);
	gg_split(&words.space_bytes_lo, &words.space_bytes_hi, space_bytes(run));
	words.report_bytes = graph_report_bytes(work);
	if (words.report_bytes > 0)
		gg_split(&words.report_lo, &words.report_hi, tail + space_bytes(run));
	memcpy(bytes, &words, sizeof(words));
}
