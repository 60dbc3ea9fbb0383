/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Jobs that are not submitted, each in one piece of its context's heap.
 */
#ifndef HOST_LIB_WORK_TEMPLATE_H
#define HOST_LIB_WORK_TEMPLATE_H

#include "host/lib/work/job.h"

/** Makes a job of a request and writes it to device memory. Takes and releases the lock. Sets the
 * failure. @return as gg_template_create(). */
enum gg_status template_create(const struct request *request, struct job *job);

/** The same, of some work. */
enum gg_status template_create_of(const struct gg_work *work, struct job *job);

/** Gives the memory of a job at an address back, as gg_tmd_destroy(). Takes and releases the lock. */
enum gg_status template_destroy(struct device *device, uint64_t address);

#endif /* HOST_LIB_WORK_TEMPLATE_H */
