/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Command queues. What a queue has is guarded by the lock of command.c.
 */
#ifndef HOST_OPENCL_QUEUE_H
#define HOST_OPENCL_QUEUE_H

#include "host/opencl/context.h"

#define QUEUE_PROPERTIES_MAX 5u /* Words of a list of properties. */

struct _cl_command_queue {
	struct object object;
	cl_context context;  /* The queue has a reference to it. */
	cl_device_id device; /* One of the context's. */
	cl_command_queue_properties properties;
	bool in_order;                                  /* Commands run one after the other. */
	cl_queue_properties list[QUEUE_PROPERTIES_MAX]; /* As they were given. */
	size_t list_bytes;                              /* 0: none was given. */
	uint32_t channel;                               /* Of its tasks. */
	cl_event first, last; /* Commands that have not ended, in their order. */
	cl_event barrier;     /* Out of order: what later commands wait for; or NULL. */
	bool failed;          /* A command failed since the last call that told so. */

	/* Of the device's thread: commands whose tasks are on their way, in their order. */
	cl_event flying, *flying_end; /* Where the next one goes. */
	cl_command_queue next_flying; /* In the list of queues that have some. */
};

#endif /* HOST_OPENCL_QUEUE_H */
