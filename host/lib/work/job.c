/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/job.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "host/lib/core/failure.h"
#include "host/lib/core/heap.h"
#include "host/lib/core/pool.h"
#include "host/lib/mailbox/memory.h"
#include "host/lib/mailbox/room.h"
#include "host/lib/work/arguments.h"
#include "host/lib/work/fold.h"
#include "host/lib/work/graph_words.h"
#include "host/lib/work/lists.h"
#include "host/lib/work/range_words.h"
#include "host/lib/work/tmd.h"

#define AFFINITY_WORDS 16u
#define GRAIN          16u
#define PRINT_COUNT    4u          /* bytes of the count before the prints */
#define PRINT_MAX      (16u << 20) /* bytes that may be printed */

/** The beginning of a job in device memory. Behind it come the arguments, the lists `after` and
 * `dependents`, the N-D range with its rows, the graph, the print buffer, and the ring or work
 * space. */
struct image {
	struct gg_tmd tmd;
	struct gg_window windows[GG_WINDOWS_MAX];
	uint32_t affinity[AFFINITY_WORDS];
};

_Static_assert(sizeof(struct image) % GRAIN == 0, "arguments are aligned");
_Static_assert(sizeof(struct gg_dependent) % GRAIN == 0, "so is what follows a list");

/** Offsets of the parts of a job from its TMD, in bytes. */
struct plan {
	const struct kernel *kernel; /* or NULL */
	uint32_t args_bytes;         /* a multiple of GRAIN */
	uint32_t after;              /* offset of the list */
	uint32_t dependents;         /* offset of the list */
	uint32_t range;              /* offset of the descriptor */
	uint32_t graph;              /* offset of the descriptor */
	uint32_t print;              /* offset of the print buffer */
	uint32_t print_bytes;        /* bytes of records in it; 0: there is none */
	uint32_t bytes;              /* bytes of all but ring or work space */
	uint64_t ring_bytes;         /* bytes of ring or work space; 0: none */
};

static enum gg_status plan_make(struct plan *plan, const struct request *request)
{
	const struct gg_work *work = request->work;
	const struct module *module = request->module;
	uint32_t bytes = 0;

	memset(plan, 0, sizeof(*plan));
	if (module && work->kernel >= module->list.facts.kernels)
		return failure_set(GG_ERR_KERNEL_NAME, "kernel", work->kernel,
				   "The module has no kernel number %u", work->kernel);
	if (module) {
		plan->kernel =
			request->folded ? request->folded : &module->list.kernels[work->kernel];
		bytes = plan->kernel->argument_bytes;
	}
	plan->args_bytes = (bytes + GRAIN - 1) / GRAIN * GRAIN;
	plan->after = (uint32_t)sizeof(struct image) + plan->args_bytes;
	plan->dependents = plan->after + work->after_count * (uint32_t)sizeof(struct gg_dependent);
	plan->range =
		plan->dependents + work->dependent_count * (uint32_t)sizeof(struct gg_dependent);
	plan->graph = (plan->range + range_bytes(work) + GRAIN - 1) / GRAIN * GRAIN;
	plan->print = plan->graph + graph_bytes(work);
	plan->bytes = plan->print;
	/* A kernel that cannot print needs no room for prints. */
	if (work->print_bytes > 0 && !(plan->kernel && plan->kernel->flags & GG_KERNEL_SILENT)) {
		plan->print_bytes = (work->print_bytes + 3) / 4 * 4;
		plan->bytes += PRINT_COUNT + plan->print_bytes;
	}
	if (work->type == GG_TASK_TYPE_QUEUE)
		plan->ring_bytes = (uint64_t)work->queue.capacity * work->queue.item_bytes;
	if (work->graph) {
		plan->bytes = (plan->bytes + GRAPH_ALIGN - 1) / GRAPH_ALIGN * GRAPH_ALIGN;
		plan->ring_bytes = graph_tail_bytes(work);
	}
	return GG_OK;
}

static enum gg_status check_print(const struct gg_work *work, bool template)
{
	if (work->print_bytes > PRINT_MAX)
		return failure_set(GG_ERR_ARGUMENT, "print_bytes", work->print_bytes,
				   "At most %u bytes can be printed", PRINT_MAX);
	if (template && work->print_bytes > 0)
		return failure_set(GG_ERR_ARGUMENT, "print_bytes", work->print_bytes,
				   "A template has no print buffer: its tasks print into that of "
				   "the task that launched them");
	return GG_OK;
}

static enum gg_status fill_affinity(const struct device *device, struct image *image,
				    const struct gg_work *work)
{
	for (uint32_t i = 0; i < work->affinity_count; i++) {
		uint32_t sm = work->affinity[i];

		if (sm >= device->cap.sms)
			return failure_set(GG_ERR_AFFINITY, "affinity", sm,
					   "There is no SM %u: the device has %u", sm,
					   device->cap.sms);
		image->affinity[sm / 32] |= 1u << sm % 32;
	}
	return GG_OK;
}

static enum gg_status fill_windows(struct image *image, const struct gg_work *work)
{
	for (uint32_t i = 0; i < work->memory_count; i++) {
		const struct gg_memory *memory = &work->memory[i];
		struct gg_window *window = &image->windows[i];

		if (memory->bytes >> 48 != 0)
			return failure_done(GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_BYTES,
					    memory->bytes, 0, 0);
		window->base_lo = gg_low(memory->address);
		window->base_hi = gg_high(memory->address);
		window->bytes_lo = gg_low(memory->bytes);
		window->rights = gg_put(GG_WINDOW_BYTES_HI, gg_high(memory->bytes)) |
				 gg_put(GG_WINDOW_READ, memory->read != 0) |
				 gg_put(GG_WINDOW_WRITE, memory->write != 0);
	}
	return GG_OK;
}

/** Fills in what does not depend on the job's address. Sets tmd.after_count. */
static enum gg_status fill(const struct request *request, const struct plan *plan,
			   struct image *image)
{
	struct device *device = request->device;
	const struct gg_work *work = request->work;
	uint8_t *bytes = (uint8_t *)image;
	uint32_t shared_bytes = 0;
	uint32_t after_count;
	enum gg_status status = lists_after(
		request, (struct gg_dependent *)(void *)(bytes + plan->after), &after_count);

	if (status == GG_OK && plan->kernel)
		status = arguments_pack(plan->kernel, work, bytes + sizeof(*image), &shared_bytes);
	if (status == GG_OK)
		status = tmd_fill(&image->tmd, request, plan->kernel, shared_bytes);
	if (status == GG_OK)
		status = fill_affinity(device, image, work);
	if (status == GG_OK)
		status = fill_windows(image, work);
	if (status == GG_OK)
		status = lists_dependents(
			request, (struct gg_dependent *)(void *)(bytes + plan->dependents));
	if (status != GG_OK)
		return status;
	image->tmd.after_count = after_count;
	device->next_generation += device->next_generation == UINT32_MAX ? 2 : 1;
	image->tmd.generation = device->next_generation;
	return GG_OK;
}

/** Fills in the addresses of the parts. */
static void fill_addresses(struct gg_tmd *tmd, const struct gg_work *work, const struct plan *plan,
			   uint64_t address, uint64_t ring)
{
	if (work->memory_count > 0) {
		gg_split(&tmd->windows_lo, &tmd->windows_hi,
			 address + offsetof(struct image, windows));
		tmd->window_count = work->memory_count;
	}
	if (work->affinity_count > 0)
		gg_split(&tmd->affinity_lo, &tmd->affinity_hi,
			 address + offsetof(struct image, affinity));
	if (plan->args_bytes > 0) {
		gg_split(&tmd->args_lo, &tmd->args_hi, address + sizeof(struct image));
		tmd->args_bytes = plan->args_bytes;
	}
	if (tmd->after_count > 0)
		gg_split(&tmd->after_lo, &tmd->after_hi, address + plan->after);
	if (work->dependent_count > 0) {
		gg_split(&tmd->dependents_lo, &tmd->dependents_hi, address + plan->dependents);
		tmd->dependent_count = work->dependent_count;
	}
	if (plan->print_bytes > 0) {
		gg_split(&tmd->print_lo, &tmd->print_hi, address + plan->print);
		tmd->print_bytes = plan->print_bytes;
		tmd->header |= gg_put(GG_TMD_CUT_PRINTS, (work->flags & GG_WORK_CUT_PRINTS) != 0);
	}
	if (work->type == GG_TASK_TYPE_QUEUE)
		gg_split(&tmd->queue_lo, &tmd->queue_hi, ring);
	if (work->range)
		gg_split(&tmd->queue_lo, &tmd->queue_hi, address + plan->range);
	if (work->graph)
		gg_split(&tmd->queue_lo, &tmd->queue_hi, address + plan->graph);
}

/** Takes a piece of the context's heap: for jobs that kernels may read and name. */
static enum gg_status take_in_context(struct context *context, const struct plan *plan,
				      struct job *job)
{
	uint64_t bytes = plan->bytes + plan->ring_bytes;
	enum gg_status status = heap_take(&context->heap, bytes, POOL_ALIGN, &job->address);

	if (status != GG_OK)
		return room_failure(context->device, context, bytes, POOL_ALIGN, "a task");
	job->ring = job->address + plan->bytes;
	job->in_context = true;
	return GG_OK;
}

static enum gg_status take_in_pool(struct device *device, const struct plan *plan, struct job *job)
{
	enum gg_status status = pool_take(&device->jobs, &device->heap, plan->bytes, &job->address);

	if (status != GG_OK)
		return room_failure(device, NULL, plan->bytes, POOL_ALIGN, "a task");
	return GG_OK;
}

static enum gg_status write_ring(const struct device *device, const struct gg_queue *queue,
				 uint64_t ring)
{
	uint64_t bytes = (uint64_t)queue->data_items * queue->item_bytes;

	if (queue->data)
		return memory_write(device, ring, queue->data, bytes);
	return memory_clear(device, ring, bytes);
}

/** Writes a graph's words, and clears its report: it tells of no pass yet. */
static enum gg_status write_graph(const struct device *device, const struct gg_work *work,
				  const struct plan *plan, struct image *image, struct job *job)
{
	graph_write(work, (uint8_t *)image + plan->graph, job->address + plan->graph, job->ring);
	job->report_bytes = graph_report_bytes(work);
	if (job->report_bytes == 0)
		return GG_OK;
	job->report = job->ring + plan->ring_bytes - job->report_bytes;
	return memory_clear(device, job->report, sizeof(struct gg_graph_report));
}

static enum gg_status place(const struct request *request, bool template, const struct plan *plan,
			    struct image *image, struct job *job)
{
	struct device *device = request->device;
	const struct gg_work *work = request->work;
	enum gg_status status =
		template || work->type == GG_TASK_TYPE_QUEUE || work->range || work->graph
			? take_in_context(request->context, plan, job)
			: take_in_pool(device, plan, job);

	if (status != GG_OK)
		return status;
	fill_addresses(&image->tmd, work, plan, job->address, job->ring);
	if (work->range)
		range_write(work, (uint8_t *)image + plan->range, job->address + plan->range);
	if (work->graph)
		status = write_graph(device, work, plan, image, job);
	if (!template)
		tmd_shorten(&image->tmd, &device->cap);
	if (status == GG_OK)
		status = memory_write(device, job->address, image, plan->bytes);
	if (status == GG_OK && work->type == GG_TASK_TYPE_QUEUE)
		status = write_ring(device, &work->queue, job->ring);
	job->tmd = image->tmd;
	job->print = plan->print_bytes > 0 ? job->address + plan->print : 0;
	return status;
}

static enum gg_status create(const struct request *request, bool template, struct job *job)
{
	const struct gg_work *work = request->work;
	struct plan plan;
	struct image *image;
	enum gg_status status = check_print(work, template);

	if (status == GG_OK)
		status = range_check(work);
	if (status == GG_OK)
		status = graph_check(work);
	if (status == GG_OK)
		status = plan_make(&plan, request);
	if (status != GG_OK)
		return status;
	memset(job, 0, sizeof(*job));
	image = calloc(1, plan.bytes > sizeof(*image) ? plan.bytes : sizeof(*image));
	if (!image)
		return failure_status(GG_ERR_NO_MEMORY);
	status = fill(request, &plan, image);
	if (status == GG_OK)
		status = place(request, template, &plan, image, job);
	free(image);
	return status;
}

/* A kernel may change the grid of a template, so that one is not folded. */
enum gg_status job_create(const struct request *request, bool template, struct job *job)
{
	struct fold fold;
	enum gg_status status;

	if (template || !fold_is_due(request->work))
		return create(request, template, job);
	status = fold_begin(&fold, request);
	if (status == GG_OK)
		status = create(&fold.request, false, job);
	fold_end(&fold);
	return status;
}
