/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What all OpenCL objects have in common, and the table of those that there are.
 *
 * A handle of a program is looked up in the table before anything is read through it. So NULL,
 * objects that have ended, those of another kind and any other pointer are refused. An object has
 * two counts: the references of the program (clRetain…, clRelease…), which it may ask for, and all
 * references, those of other objects and of calls on their way among them. It ends with the last
 * one of all. One lock guards the table and the program's references, and nobody else takes the last reference of an
 * object, so what is found in the table has one; nothing else is locked while it is held.
 */
#ifndef HOST_OPENCL_OBJECT_H
#define HOST_OPENCL_OBJECT_H

#include <stdint.h>

#include "host/opencl/base.h"

/** All functions, through which the loader calls them: each object begins with the address of this table. */
extern const cl_icd_dispatch dispatch_table;

enum object_kind {
	OBJECT_PLATFORM = 1,
	OBJECT_DEVICE,
	OBJECT_CONTEXT,
	OBJECT_QUEUE,
	OBJECT_MEMORY,
	OBJECT_PROGRAM,
	OBJECT_KERNEL,
	OBJECT_EVENT,
	OBJECT_RECORDING,
	OBJECT_COMMAND, /* A recorded one that can be changed. */
	OBJECT_KINDS,   /* One more than the last. */
};

/** The beginning of each object. */
struct object {
	const cl_icd_dispatch *dispatch; /* The loader reads it: it comes first. */
	enum object_kind kind;
	uint32_t handles;          /* References of the program. */
	uint32_t references;       /* All references; atomic. */
	uint64_t serial;           /* No two objects have the same one. */
	void (*end)(void *object); /* Frees the object. */
	struct object *next;       /* In the table. */
};

/** Begins an object with one reference, which the program gets. `end` is called without the lock. */
void object_begin(void *object, enum object_kind kind, void (*end)(void *object));

/** Looks a handle up and takes a reference. @return NULL: it is refused. */
void *object_enter(enum object_kind kind, const void *handle);

/** The same, but only for the object that had this serial when it was looked up before. */
void *object_enter_again(enum object_kind kind, const void *handle, uint64_t serial);

/** Takes one more reference to an object that the caller has one of, and returns the object. */
void *object_hold(void *object);

/** Gives a reference back. NULL is nothing. */
void object_drop(void *object);

/** clRetain… @return CL_SUCCESS, or `refused`. */
cl_int object_retain(enum object_kind kind, void *handle, cl_int refused);

/** clRelease… @return CL_SUCCESS, or `refused`: also when the program has no reference left. */
cl_int object_release(enum object_kind kind, void *handle, cl_int refused);

/** The references of the program. */
cl_uint object_handles(void *object);

/** Number of objects of a kind that there are. */
uint32_t object_count(enum object_kind kind);

/** For the cleanup attribute of USE(). */
void object_leave(void *variable);

/** Declares `name`, the object behind a handle, for the rest of the block; returns `refused` from the
 * function if there is none. The functions of the API begin with it. */
#define USE(type, name, kind, handle, refused)                                               \
	__attribute__((cleanup(object_leave))) type name = (type)object_enter(kind, handle); \
	if (!name)                                                                           \
	return refused

#define USE_CONTEXT(name, handle) USE(cl_context, name, OBJECT_CONTEXT, handle, CL_INVALID_CONTEXT)
#define USE_DEVICE(name, handle)  USE(cl_device_id, name, OBJECT_DEVICE, handle, CL_INVALID_DEVICE)
#define USE_QUEUE(name, handle) \
	USE(cl_command_queue, name, OBJECT_QUEUE, handle, CL_INVALID_COMMAND_QUEUE)
#define USE_MEMORY(name, handle)  USE(cl_mem, name, OBJECT_MEMORY, handle, CL_INVALID_MEM_OBJECT)
#define USE_PROGRAM(name, handle) USE(cl_program, name, OBJECT_PROGRAM, handle, CL_INVALID_PROGRAM)
#define USE_KERNEL(name, handle)  USE(cl_kernel, name, OBJECT_KERNEL, handle, CL_INVALID_KERNEL)
#define USE_EVENT(name, handle)   USE(cl_event, name, OBJECT_EVENT, handle, CL_INVALID_EVENT)
#define USE_RECORDING(name, handle) \
	USE(cl_command_buffer_khr, name, OBJECT_RECORDING, handle, CL_INVALID_COMMAND_BUFFER_KHR)

#endif /* HOST_OPENCL_OBJECT_H */
