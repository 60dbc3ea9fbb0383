/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Reads, writes and copies of buffers: one command for all of them, which copies a box of bytes from
 * one place to another. A run of bytes is a box of one row.
 */
#ifndef HOST_OPENCL_TRANSFER_H
#define HOST_OPENCL_TRANSFER_H

#include "host/opencl/command.h"
#include "host/opencl/memory.h"

/** Where the bytes come from or go to. */
struct side {
	cl_mem memory;      /* A buffer; NULL: memory of the program. */
	uint8_t *pointer;   /* Then this. */
	size_t offset;      /* Of the box's first byte. */
	size_t row_pitch;   /* Bytes from a row to the next one, */
	size_t slice_pitch; /* and from a slice to the next one. */
};

/** What is copied. */
struct transfer {
	struct side from, to;
	size_t bytes, rows, slices;
};

/** Checks that both sides are inside of their buffers, or that there is memory of the program.
 * @return CL_INVALID_VALUE. */
cl_int transfer_check(const struct transfer *transfer);

/** Whether both sides are in the same memory and the bytes from the first to the last one of each have one in
 * common. */
bool transfer_touches(const struct transfer *transfer);

/** Checks that both buffers are of a context, and may be used so.
 * @return CL_INVALID_CONTEXT, CL_MISALIGNED_SUB_BUFFER_OFFSET; CL_INVALID_OPERATION: the host may not do this with the
 * buffer. */
cl_int transfer_check_buffers(const struct transfer *transfer, cl_context context);

/** Enqueues a transfer that transfer_check() has found good, and whose buffers the caller uses.
 * @param queue  An object, not a handle.
 * @return as transfer_check_buffers(), command_make() and command_post(). */
cl_int transfer_enqueue(cl_command_queue queue, cl_command_type type,
			const struct transfer *transfer, const struct wait_list *list,
			bool blocking, cl_event *wanted);

#endif /* HOST_OPENCL_TRANSFER_H */
