/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Shared virtual memory: pieces of a device's heap where a pointer is the same for this process and for kernels.
 */
#ifndef HOST_OPENCL_SHARED_H
#define HOST_OPENCL_SHARED_H

#include "host/opencl/context.h"

/** The first device of a context that has it; NULL: none does. */
cl_device_id shared_device(cl_context context);

/** Allocates some, which keeps its context until shared_free(). @return NULL: there is no such memory left, or no
 * device that has it. */
void *shared_alloc(cl_context context, size_t bytes);

/** Gives back what shared_alloc() returned. NULL, and what it did not return, is nothing. */
void shared_free(cl_context context, void *pointer);

/** Whether all bytes from a pointer on are in one piece of a context. */
bool shared_has(cl_context context, const void *pointer, size_t bytes);

#endif /* HOST_OPENCL_SHARED_H */
