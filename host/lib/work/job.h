/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A job is what a task needs in device memory, in one piece: TMD, windows, affinity mask, argument
 * block, lists, N-D range, graph and print buffer. The TMD comes first. The jobs of templates,
 * graphs, queue tasks and tasks with a range lie in the context's heap, where kernels can name
 * them; behind such a job comes the ring of a queue or the work space of a graph.
 */
#ifndef HOST_LIB_WORK_JOB_H
#define HOST_LIB_WORK_JOB_H

#include "host/lib/work/request.h"

/** A job that was written to device memory. */
struct job {
	struct gg_tmd tmd;     /**< Copy of its TMD. */
	uint64_t address;      /**< Address of the job, and so of its TMD. */
	uint64_t print;        /**< Address of its print buffer, or 0. */
	uint64_t ring;         /**< Address of the ring or work space; else not valid. */
	uint64_t report;       /**< Address of a graph's report, or 0. */
	uint32_t report_bytes; /**< Bytes of the report. */
	bool in_context;       /**< It lies in its context's heap, not in the pool of jobs. */
};

/** Makes a job of some work and writes it to device memory. The lock is
 * held. Sets the failure.
 * @param template false: a task owns it, and task_give_back() gives it back; true: it lies in the
 * context's heap until the caller gives it back. */
enum gg_status job_create(const struct request *request, bool template, struct job *job);

#endif /* HOST_LIB_WORK_JOB_H */
