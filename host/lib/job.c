/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/job.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "host/lib/arguments.h"
#include "host/lib/failure.h"
#include "host/lib/tmd.h"

#define TMD_ALIGN      256u
#define AFFINITY_WORDS 16u
#define ARGS_GRAIN     16u

/** A job as it lies in device memory; the argument block follows. */
struct job {
	struct gg_tmd tmd;
	struct gg_window windows[GG_WINDOWS_MAX];
	uint32_t affinity[AFFINITY_WORDS];
};

_Static_assert(sizeof(struct job) % ARGS_GRAIN == 0, "arguments are aligned");

/** Device memory for a job; the jobs' heap grows by pieces of the device's. */
static enum gg_status take_memory(struct gg_device *device, uint64_t bytes, uint64_t *address)
{
	uint64_t piece = bytes > JOB_HEAP_BYTES / 2 ? 2 * bytes : JOB_HEAP_BYTES;
	uint64_t start;
	enum gg_status status = heap_take(&device->jobs, bytes, TMD_ALIGN, address);

	if (status == GG_OK)
		return GG_OK;
	status = heap_take(&device->heap, piece, TMD_ALIGN, &start);
	if (status == GG_OK)
		status = heap_add(&device->jobs, start, piece);
	if (status == GG_OK)
		status = heap_take(&device->jobs, bytes, TMD_ALIGN, address);
	if (status != GG_OK)
		return failure_set(status, "bytes", bytes,
				   "No device memory is left for the arguments of a task");
	return GG_OK;
}

static enum gg_status fill_affinity(const struct gg_device *device, struct job *job,
				    const struct gg_work *work)
{
	for (uint32_t i = 0; i < work->affinity_count; i++) {
		uint32_t sm = work->affinity[i];

		if (sm >= device->cap.sms)
			return failure_set(GG_ERR_AFFINITY, "affinity", sm,
					   "There is no SM %u: the device has %u", sm,
					   device->cap.sms);
		job->affinity[sm / 32] |= 1u << sm % 32;
	}
	return GG_OK;
}

static enum gg_status fill_windows(struct job *job, const struct gg_work *work)
{
	for (uint32_t i = 0; i < work->memory_count; i++) {
		const struct gg_memory *memory = &work->memory[i];
		struct gg_window *window = &job->windows[i];

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

/** Addresses of the parts, once the job has a place. */
static void fill_addresses(struct gg_tmd *tmd, const struct gg_work *work, uint64_t address,
			   uint32_t args_bytes)
{
	uint64_t windows = address + offsetof(struct job, windows);
	uint64_t affinity = address + offsetof(struct job, affinity);
	uint64_t args = address + sizeof(struct job);

	if (work->memory_count > 0) {
		tmd->windows_lo = gg_low(windows);
		tmd->windows_hi = gg_high(windows);
		tmd->window_count = work->memory_count;
	}
	if (work->affinity_count > 0) {
		tmd->affinity_lo = gg_low(affinity);
		tmd->affinity_hi = gg_high(affinity);
	}
	if (args_bytes > 0) {
		tmd->args_lo = gg_low(args);
		tmd->args_hi = gg_high(args);
		tmd->args_bytes = args_bytes;
	}
}

static enum gg_status fill(struct gg_device *device, const struct gg_work *work, struct job *job)
{
	const struct gg_kernel_info *kernel = &work->module->list.kernels[work->kernel];
	uint32_t shared_bytes;
	enum gg_status status = arguments_pack(kernel, work, (uint8_t *)(job + 1), &shared_bytes);

	if (status == GG_OK)
		status = tmd_fill(&job->tmd, work, shared_bytes);
	if (status == GG_OK)
		status = fill_affinity(device, job, work);
	if (status == GG_OK)
		status = fill_windows(job, work);
	job->tmd.generation = (uint32_t)device->traffic.posted + 1;
	return status;
}

static enum gg_status place(struct gg_device *device, const struct gg_work *work, struct job *job,
			    uint32_t args_bytes, uint64_t *address)
{
	uint64_t bytes = sizeof(*job) + args_bytes;
	enum gg_status status = take_memory(device, bytes, address);
	void *to;

	if (status != GG_OK)
		return status;
	fill_addresses(&job->tmd, work, *address, args_bytes);
	to = device_pointer(device, *address, bytes);
	if (to)
		memcpy(to, job, bytes);
	return GG_OK;
}

enum gg_status job_create(struct gg_device *device, const struct gg_work *work, struct gg_tmd *tmd,
			  uint64_t *address)
{
	const struct gg_kernel_info *kernel;
	enum gg_status status;
	uint32_t args_bytes;
	struct job *job;

	if (work->kernel >= work->module->list.facts.kernels)
		return failure_set(GG_ERR_KERNEL_NAME, "kernel", work->kernel,
				   "The module has no kernel number %u", work->kernel);
	kernel = &work->module->list.kernels[work->kernel];
	args_bytes = (kernel->argument_bytes + ARGS_GRAIN - 1) / ARGS_GRAIN * ARGS_GRAIN;
	job = calloc(1, sizeof(*job) + args_bytes);
	if (!job)
		return failure_status(GG_ERR_NO_MEMORY);
	status = fill(device, work, job);
	if (status == GG_OK)
		status = place(device, work, job, args_bytes, address);
	if (status == GG_OK)
		*tmd = job->tmd;
	free(job);
	return status;
}
