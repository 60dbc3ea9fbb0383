/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the laboratory plays: a device and a list of tasks, read as numbers from the standard input.
 */
#ifndef HOST_LAB_LAB_WORK_H
#define HOST_LAB_LAB_WORK_H

#include <stdint.h>

/** The device. */
struct lab_setup {
	uint32_t sms;      /**< SMs, 1 to CP_SMS. */
	uint32_t ctas;     /**< CTA slots of an SM, 1 to 31. */
	uint32_t lanes;    /**< CTAs that an SM runs at full speed; more of them share it. */
	uint32_t mode;     /**< enum gg_task_mode that has the policy. */
	uint32_t block_ns; /**< Nanoseconds that the control processor needs for a basic block. */
	uint32_t log;      /**< 1: print a line for each launch packet. */
	uint32_t tasks;    /**< Number of tasks. */
};

/** A task: a grid of plain CTAs. */
struct lab_task {
	uint64_t at;           /**< When it is posted, in ns. */
	uint32_t priority;     /**< 1 to 10. */
	uint32_t ctas;         /**< Number of CTAs. */
	uint32_t threads;      /**< Threads of a CTA. */
	uint32_t shared_bytes; /**< Shared memory of a CTA. */
	uint32_t times;        /**< 1, or `ctas`. */
	uint64_t *ns; /**< How long each CTA runs when it has a lane; one for all, or one each. */
};

/** What is played. Written by lab_work_read(). */
extern struct lab_setup lab_setup;
extern struct lab_task *lab_tasks;

/** Read it. Ends the program with a message when the input is not complete. */
void lab_work_read(void);

/** How long a CTA of a task runs alone, in ns. */
static inline uint64_t lab_work_ns(const struct lab_task *task, uint64_t cta)
{
	return task->ns[task->times == 1 ? 0 : cta];
}

#endif /* HOST_LAB_LAB_WORK_H */
