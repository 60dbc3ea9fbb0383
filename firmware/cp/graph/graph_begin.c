/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/graph/graph_begin.h"

#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/graph/graph_kept.h"
#include "firmware/cp/graph/graph_store.h"
#include "hal/timer.h"

static uint64_t align_down(uint64_t value)
{
	return value & ~(uint64_t)15;
}

/* Divides the block: the image grows from its start; what is needed only to make the graph lies at its end. */
static bool share_out(struct graph_job *job, unsigned char *block, uint64_t bytes)
{
	const uint64_t above =
		(uint64_t)job->settings.program_bytes + sizeof(struct graph_making) + 32;

	if (bytes < above + sizeof(struct graph_image)) {
		return false;
	}
	const uint64_t room = align_down(bytes - above);

	job->image = (struct graph_image *)(void *)block;
	job->making = (struct graph_making *)(void *)(block + (uintptr_t)room);
	memset(job->image, 0, sizeof(*job->image));
	memset(job->making, 0, sizeof(*job->making));
	job->making->copy = (unsigned char *)(job->making + 1);
	job->making->room = room;
	return true;
}

/* Takes the kept graph that the descriptor names. The job stays in its stage while it has to wait until a run is over. */
static struct refusal reuse(struct task *task)
{
	struct graph_job *job = task->graph;
	struct graph_image *image = graph_kept_find(job->settings.handle);

	if (image == NULL) {
		return refusal_of(GG_ERR_GRAPH_HANDLE, GG_FIELD_GRAPH_HANDLE, job->settings.handle);
	}
	if (image->user != NULL && !task->source.trusted) {
		return refusal_of(GG_ERR_BUSY, GG_FIELD_GRAPH_HANDLE, job->settings.handle);
	}
	if (image->user != NULL) {
		return refusal_none();
	}
	job->image = image;
	image->user = task;
	job->stage = GRAPH_STAGE_LOOK;
	return refusal_none();
}

/* Waits only if memory will be given back: there are more blocks than kept graphs. */
static struct refusal wait_for_more(const struct task *task)
{
	return task->source.trusted && graph_store_blocks() > graph_kept_count()
		       ? refusal_none()
		       : task->graph->too_large;
}

static struct refusal open_block(struct task *task)
{
	struct graph_job *job = task->graph;
	void *block;

	if (graph_store_is_open()) {
		return refusal_none();
	}
	if (graph_store_largest() <= job->tried) {
		return wait_for_more(task);
	}
	block = graph_store_open(&job->tried);
	if (!share_out(job, block, job->tried)) {
		graph_store_free(block);
		return wait_for_more(task);
	}
	job->image->user = task;
	job->image->context = task->tmd.context;
	job->image->argument_count = job->settings.argument_count;
	job->image->resource =
		gg_get(job->settings.mode, GG_GRAPH_EMPHASIS) == GG_GRAPH_EMPHASIS_RESOURCE;
	job->stage = GRAPH_STAGE_COPY;
	job->cursor = 0;
	return refusal_none();
}

/* The arguments are read only when the graph begins, so tasks that it waited for can write them (S2-R100). */
static void take_arguments(const struct task *task)
{
	const struct gg_graph *settings = &task->graph->settings;
	const uint64_t from = gg_join(settings->arguments_lo, settings->arguments_hi);
	const uint32_t *words = settings->argument_count != 0 ? device_pointer(from) : NULL;

	for (uint32_t index = 0; index < settings->argument_count; index++) {
		task->graph->image->arguments[index] =
			gg_join(words[2 * index], words[2 * index + 1]);
	}
}

struct refusal graph_begin_open(struct task *task)
{
	const struct refusal refusal =
		task->graph->settings.handle != 0 ? reuse(task) : open_block(task);

	if (task->graph->stage != GRAPH_STAGE_OPEN) {
		task->graph->image->started = timer_now();
		take_arguments(task);
	}
	return refusal;
}

void graph_begin_again(struct task *task, struct refusal refusal)
{
	struct graph_job *job = task->graph;

	graph_store_free(job->image);
	job->image = NULL;
	job->making = NULL;
	job->too_large = refusal;
	job->stage = GRAPH_STAGE_OPEN;
}
