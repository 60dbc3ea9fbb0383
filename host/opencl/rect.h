/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Reads, writes and copies of boxes in two or three dimensions.
 */
#ifndef HOST_OPENCL_RECT_H
#define HOST_OPENCL_RECT_H

#include "host/opencl/transfer.h"

/** One side of a box as the program gives it. */
struct box {
	const size_t *origin;
	size_t row_pitch, slice_pitch;
};

/** Lays out both sides of a transfer, whose buffers and pointers are in it, and checks that they are inside of their
 * buffers.
 * @return CL_INVALID_VALUE. */
cl_int rect_lay_out(struct transfer *transfer, const struct box *from, const struct box *to,
		    const size_t *region);

/** The same for a copy from one buffer to another.
 * @return CL_INVALID_VALUE, CL_MEM_COPY_OVERLAP. */
cl_int rect_lay_out_copy(struct transfer *transfer, const struct box *from, const struct box *to,
			 const size_t *region);

#endif /* HOST_OPENCL_RECT_H */
