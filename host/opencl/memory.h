/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Buffers and sub-buffers, and where their bytes are.
 *
 * A buffer has a piece of memory on each device that has used it; of each part, one of them has the newest
 * content. A command that uses the buffer, or a sub-buffer of it, on another device first copies that there, and
 * nothing else: other devices may use other sub-buffers at the same time. In a context of one device, which is
 * the usual case, nothing is ever copied.
 */
#ifndef HOST_OPENCL_MEMORY_H
#define HOST_OPENCL_MEMORY_H

#include "host/opencl/context.h"
#include "host/opencl/newest.h"

/** A part of a buffer that the program has mapped. */
struct mapping {
	uint8_t *pointer;
	size_t offset, bytes; /* Of the buffer; of a sub-buffer, of its parent. */
	cl_map_flags flags;
	bool direct; /* The pointer is that of the device's memory. */
	bool owned;  /* The pointer is freed with the mapping. */
	struct mapping *next;
};

struct _cl_mem {
	struct object object;
	cl_context context;
	cl_mem parent; /* Of a sub-buffer; or NULL. It has the memory. */
	size_t origin; /* In the parent. */
	size_t size;
	cl_mem_flags flags;
	void *host_pointer;              /* CL_MEM_USE_HOST_PTR; or NULL. */
	cl_mem_properties properties[1]; /* The 0 that ends a list without any. */
	size_t property_bytes;           /* 0: it was made without a list of them. */
	struct callback_list destructors;

	/* Guarded by `lock`. A sub-buffer uses those of its parent. */
	pthread_mutex_t lock;
	uint64_t addresses[DEVICES_MAX]; /* By number of the device; 0: none there. */
	struct newest newest;            /* The devices that have the newest content. */
	cl_device_id borrowed;           /* Its memory there is shared virtual memory; or NULL. */
	struct mapping *mappings;
	cl_uint mapped;
};

/** Has the content on a device, and tells its address there. The queue's order must see to it that
 * nobody writes it at the same time. @return CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES,
 * CL_OUT_OF_HOST_MEMORY. */
cl_int memory_place(cl_mem memory, cl_device_id device, uint64_t *address);

/** The address on a device that memory_place() would give, or 0 if there is none yet. */
uint64_t memory_address(cl_mem memory, cl_device_id device);

/** Checks a part of a buffer. @return CL_INVALID_VALUE: it is empty or outside. */
cl_int memory_check_part(cl_mem memory, size_t offset, size_t bytes);

/** Checks the alignment of a sub-buffer. @return CL_MISALIGNED_SUB_BUFFER_OFFSET. */
cl_int memory_check_origin(cl_mem memory);

/** The buffer that has the memory, and the offset there of the beginning. */
cl_mem memory_root(cl_mem memory, size_t *origin);

#endif /* HOST_OPENCL_MEMORY_H */
