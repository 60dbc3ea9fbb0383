/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A job: what a task needs in device memory, in one piece: its TMD, its windows, its affinity
 * mask, its argument block and its lists. The TMD comes first. The ring of a queue lies in the
 * context's heap: alone for a task, behind the job for a template, which is there as a whole.
 */
#ifndef HOST_LIB_JOB_H
#define HOST_LIB_JOB_H

#include "host/lib/device.h"

/** A job that was written to device memory. */
struct job {
	struct gg_tmd tmd; /**< A copy. */
	uint64_t address;  /**< Of the piece and of its TMD. */
	uint64_t ring;     /**< Of a task's queue, a piece of the context's heap; or 0. */
};

/** The context that some work is for, or NULL: it has neither a module nor a context. */
struct gg_context *job_context(const struct gg_work *work);

/**
 * Makes a job of some work, whose lists were checked, and writes it to device memory. The lock is
 * held. Sets the failure. `template` false: a task's, which pump_free() gives back; true: all is in
 * one piece of the context's heap.
 */
enum gg_status job_create(struct gg_device *device, const struct gg_work *work, bool template,
			  struct job *job);

#endif /* HOST_LIB_JOB_H */
