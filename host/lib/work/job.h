/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A job: what a task needs in device memory, in one piece: its TMD, its windows, its affinity
 * mask, its argument block, its lists, its N-D range, its graph and its print buffer. The TMD comes
 * first. Templates, graphs, queue tasks and tasks with a range lie in the context's heap, where kernels can name
 * them; the ring of a queue, or a graph's work space, comes behind.
 */
#ifndef HOST_LIB_WORK_JOB_H
#define HOST_LIB_WORK_JOB_H

#include "host/lib/mailbox/device.h"

/** A job that was written to device memory. */
struct job {
	struct gg_tmd tmd;     /**< A copy. */
	uint64_t address;      /**< Of the piece and of its TMD. */
	uint64_t print;        /**< Of its print buffer, or 0. */
	uint64_t ring;         /**< Of a queue, behind the job; else not valid. */
	uint64_t report;       /**< Of a graph's report, or 0. */
	uint32_t report_bytes; /**< Bytes of it. */
	bool in_context;       /**< It is a piece of its context's heap, not of the pool of jobs. */
};

/** The context that some work is for, or NULL: it has neither a module nor a context. */
struct gg_context *job_context(const struct gg_work *work);

/**
 * Makes a job of some work, whose lists were checked, and writes it to device memory. The lock is
 * held. Sets the failure. `template` false: a task's, which task_give_back() gives back; true: all is in
 * one piece of the context's heap.
 */
enum gg_status job_create(struct gg_device *device, const struct gg_work *work, bool template,
			  struct job *job);

#endif /* HOST_LIB_WORK_JOB_H */
