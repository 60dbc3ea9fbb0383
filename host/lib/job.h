/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A job: what a task needs in device memory, in one piece: its TMD, its windows, its affinity
 * mask and its argument block. The TMD comes first.
 */
#ifndef HOST_LIB_JOB_H
#define HOST_LIB_JOB_H

#include "host/lib/device.h"

/**
 * Makes a job of some work and writes it to device memory. The lock is held. Sets the failure.
 * @param tmd      The TMD that was written.
 * @param address  Its address; heap_give(&device->jobs, address) gives all of it back.
 */
enum gg_status job_create(struct gg_device *device, const struct gg_work *work, struct gg_tmd *tmd,
			  uint64_t *address);

#endif /* HOST_LIB_JOB_H */
