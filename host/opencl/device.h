/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * OpenCL devices. Each is one Ganger device, which is opened when a context or a question first needs
 * it, and stays open until this process ends: programs may still use OpenCL in the destructors of
 * their static objects.
 *
 * All OpenCL contexts share one context of the Ganger device, which has most of its heap: what a
 * device has left is left for each of them.
 */
#ifndef HOST_OPENCL_DEVICE_H
#define HOST_OPENCL_DEVICE_H

#include <pthread.h>
#include <stdbool.h>

#include "host/include/ganger.h"
#include "host/opencl/object.h"
#include "host/opencl/place.h"

#define DEVICE_ALIGN   128u    /* Of buffers: the largest type, long16 or double16. */
#define DEVICE_MOVE_MS 600000u /* Most time of a copy or fill that the device does itself. */

struct _cl_device_id {
	struct object object;
	struct place place;
	uint32_t index;          /* Its number, from 0. */
	pthread_mutex_t opening; /* Guards what follows until `opened` is set. */
	bool opened;
	bool failed; /* It could not be opened, and is not tried again. */
	struct gg_device *device;
	struct gg_context *context;
	struct gg_info info;
	uint64_t heap;       /* Address of the context's heap. */
	uint64_t heap_bytes; /* Its size. */
	uint8_t *view;       /* The heap as this process sees it; NULL: it is not shared. */
	int64_t clock;       /* Device clock minus this host's monotonic clock, in ns. */
	uint32_t next_channel;
	bool lost; /* It answers no more. Written by the device's thread only. */
};

/** Makes the devices of GANGER_DEVICES, once. @return how many there are. */
cl_uint device_list(cl_device_id *devices);

/** Opens a device, if it is not open yet. @return CL_DEVICE_NOT_AVAILABLE: it cannot be opened, or
 * answers no more; the reason is on standard error. */
cl_int device_open(cl_device_id device);

/** 32 or 64. Opens the device where its place does not tell. */
uint32_t device_xlen(cl_device_id device);

/** Whether the device takes task graphs. Opens the device where its place does not tell. */
bool device_has_graphs(cl_device_id device);

/** Now, on the device's clock, in ns. */
uint64_t device_now(cl_device_id device);

/** Most bytes of one buffer. */
uint64_t device_most_bytes(cl_device_id device);

/** Allocates memory of an open device. @return CL_MEM_OBJECT_ALLOCATION_FAILURE. */
cl_int device_alloc(cl_device_id device, uint64_t bytes, uint64_t *address);

/** Gives memory back. */
void device_free(cl_device_id device, uint64_t address);

/** Pointer of this process to device memory that device_alloc() gave; NULL: it is not shared. */
uint8_t *device_view(cl_device_id device, uint64_t address);

/** Whether a pointer is the same for this process and for kernels of an open device: its heap is mapped at the
 * device's own addresses, and pointers have the same size. */
bool device_shares_pointers(cl_device_id device);

/** Whether to have the device itself copy or fill so many bytes, by gg_context_copy() or gg_context_fill(): they are not
 * few, its memory is not shared, and it has task graphs. */
bool device_moves(cl_device_id device, size_t bytes);

/** Copy between this process and memory of the device, or inside of it (the ranges may overlap).
 * @return CL_OUT_OF_RESOURCES: the device answers no more. */
cl_int device_write(cl_device_id device, uint64_t address, const void *data, size_t bytes);
cl_int device_read(cl_device_id device, uint64_t address, void *data, size_t bytes);
cl_int device_copy(cl_device_id device, uint64_t to, uint64_t from, size_t bytes);

/** Number of the channel for the next queue. */
uint32_t device_channel(cl_device_id device);

#endif /* HOST_OPENCL_DEVICE_H */
