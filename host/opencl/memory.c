/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/memory.h"

#include <stdlib.h>
#include <string.h>

#include "host/opencl/info.h"
#include "host/opencl/newest.h"
#include "host/opencl/shared.h"

#define ACCESS       (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)
#define HOST_ACCESS  (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)
#define HOST_POINTER (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)

typedef void(CL_CALLBACK memory_destructor)(cl_mem memory, void *user_data);

/* ---- Where the bytes are ---------------------------------------------------------------- */

cl_mem memory_root(cl_mem memory, size_t *origin)
{
	*origin = memory->origin;
	return memory->parent ? memory->parent : memory;
}

static cl_int place_part(cl_mem root, cl_device_id device, size_t first, size_t end)
{
	uint64_t *address = &root->addresses[device->index];
	cl_int error = CL_SUCCESS;

	if (*address == 0)
		error = device_alloc(device, root->size, address);
	return error == CL_SUCCESS
		       ? newest_bring(&root->newest, root->addresses, device, first, end)
		       : error;
}

cl_int memory_place(cl_mem memory, cl_device_id device, uint64_t *address)
{
	size_t origin;
	cl_mem root = memory_root(memory, &origin);
	cl_int error;

	(void)pthread_mutex_lock(&root->lock);
	error = place_part(root, device, origin, origin + memory->size);
	*address = root->addresses[device->index] + origin;
	(void)pthread_mutex_unlock(&root->lock);
	return error;
}

uint64_t memory_address(cl_mem memory, cl_device_id device)
{
	size_t origin;
	cl_mem root = memory_root(memory, &origin);
	uint64_t address;

	(void)pthread_mutex_lock(&root->lock);
	address = root->addresses[device->index];
	(void)pthread_mutex_unlock(&root->lock);
	return address ? address + origin : 0;
}

cl_int memory_check_part(cl_mem memory, size_t offset, size_t bytes)
{
	return bytes == 0 || offset > memory->size || bytes > memory->size - offset
		       ? CL_INVALID_VALUE
		       : CL_SUCCESS;
}

cl_int memory_check_origin(cl_mem memory)
{
	return memory->origin % DEVICE_ALIGN != 0 ? CL_MISALIGNED_SUB_BUFFER_OFFSET : CL_SUCCESS;
}

/* ---- Making and freeing ----------------------------------------------------------------- */

static void end_memory(void *object)
{
	cl_mem memory = object;
	cl_device_id devices[DEVICES_MAX];
	cl_uint count = device_list(devices);
	struct callback_entry *entry = callback_take(&memory->destructors);

	for (; entry; entry = callback_next(entry)) {
		memory_destructor *function;

		memcpy(&function, &entry->function, sizeof(function));
		function(memory, entry->user_data);
	}
	while (memory->mappings) {
		struct mapping *mapping = memory->mappings;

		memory->mappings = mapping->next;
		if (mapping->owned)
			free(mapping->pointer);
		free(mapping);
	}
	for (cl_uint i = 0; i < count; i++) {
		if (memory->addresses[i] != 0 && devices[i] != memory->borrowed)
			device_free(devices[i], memory->addresses[i]);
	}
	newest_end(&memory->newest);
	(void)pthread_mutex_destroy(&memory->lock);
	object_drop(memory->parent);
	object_drop(memory->context);
	free(memory);
}

/** Whether at most one bit of a group is set. */
static bool at_most_one(cl_mem_flags flags)
{
	return (flags & (flags - 1)) == 0;
}

static cl_int check_flags(cl_mem_flags flags, const void *host_pointer)
{
	bool needs = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;

	if ((flags & ~(cl_mem_flags)(ACCESS | HOST_ACCESS | HOST_POINTER)) ||
	    !at_most_one(flags & ACCESS) || !at_most_one(flags & HOST_ACCESS))
		return CL_INVALID_VALUE;
	if ((flags & CL_MEM_USE_HOST_PTR) &&
	    (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
		return CL_INVALID_VALUE;
	return needs == (host_pointer != NULL) ? CL_SUCCESS : CL_INVALID_HOST_PTR;
}

static cl_mem make(cl_context context, cl_mem_flags flags, size_t size)
{
	cl_mem memory = calloc(1, sizeof(*memory));

	if (!memory || !newest_begin(&memory->newest, size)) {
		free(memory);
		return NULL;
	}
	memory->context = object_hold(context);
	memory->flags = flags & ACCESS ? flags : flags | CL_MEM_READ_WRITE;
	memory->size = size;
	(void)pthread_mutex_init(&memory->lock, NULL);
	object_begin(memory, OBJECT_MEMORY, end_memory);
	return memory;
}

static cl_int check_size(cl_context context, size_t size)
{
	bool fits = false;

	for (cl_uint i = 0; i < context->device_count; i++)
		fits = fits || size <= device_most_bytes(context->devices[i]);
	return size > 0 && fits ? CL_SUCCESS : CL_INVALID_BUFFER_SIZE;
}

static cl_int create(cl_context handle, cl_mem_flags flags, size_t size, void *host_pointer,
		     cl_mem *made)
{
	USE_CONTEXT(context, handle);
	cl_device_id home = context->devices[0];
	uint64_t address;
	cl_int error = check_flags(flags, host_pointer);
	cl_mem memory;

	/* The order of the standard: flags, then size, then pointer. */
	if (error != CL_INVALID_VALUE && check_size(context, size) != CL_SUCCESS)
		error = CL_INVALID_BUFFER_SIZE;
	if (error != CL_SUCCESS)
		return error;
	memory = make(context, flags, size);
	if (!memory)
		return CL_OUT_OF_HOST_MEMORY;
	if ((flags & CL_MEM_USE_HOST_PTR) && shared_has(context, host_pointer, size)) {
		memory->borrowed = shared_device(context);
		memory->newest.parts[0].device = memory->borrowed;
		memory->addresses[memory->borrowed->index] = (uintptr_t)host_pointer;
		*made = memory;
		return CL_SUCCESS;
	}
	error = memory_place(memory, home, &address);
	if (error == CL_SUCCESS && host_pointer)
		error = device_write(home, address, host_pointer, size);
	if (error != CL_SUCCESS) {
		object_drop(memory);
		return error;
	}
	memory->host_pointer = flags & CL_MEM_USE_HOST_PTR ? host_pointer : NULL;
	*made = memory;
	return CL_SUCCESS;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
		      cl_int *errcode_ret)
{
	cl_mem made = NULL;

	base_answer(errcode_ret, create(context, flags, size, host_ptr, &made));
	return made;
}

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
				    cl_mem_flags flags, size_t size, void *host_ptr,
				    cl_int *errcode_ret)
{
	cl_mem made = NULL;
	cl_int error = properties && properties[0] != 0
			       ? CL_INVALID_PROPERTY
			       : create(context, flags, size, host_ptr, &made);

	if (made && properties)
		made->property_bytes = sizeof(made->properties);
	base_answer(errcode_ret, error);
	return made;
}

/** The flags of a sub-buffer: what it does not say it has of its parent. */
static cl_int inherit(cl_mem parent, cl_mem_flags *flags)
{
	cl_mem_flags wanted = *flags;

	if ((wanted & ~(cl_mem_flags)(ACCESS | HOST_ACCESS)) || !at_most_one(wanted & ACCESS) ||
	    !at_most_one(wanted & HOST_ACCESS))
		return CL_INVALID_VALUE;
	if (((parent->flags & CL_MEM_WRITE_ONLY) &&
	     (wanted & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) ||
	    ((parent->flags & CL_MEM_READ_ONLY) &&
	     (wanted & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))) ||
	    ((parent->flags & CL_MEM_HOST_WRITE_ONLY) && (wanted & CL_MEM_HOST_READ_ONLY)) ||
	    ((parent->flags & CL_MEM_HOST_READ_ONLY) && (wanted & CL_MEM_HOST_WRITE_ONLY)) ||
	    ((parent->flags & CL_MEM_HOST_NO_ACCESS) &&
	     (wanted & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))))
		return CL_INVALID_VALUE;
	if (!(wanted & ACCESS))
		*flags |= parent->flags & ACCESS;
	if (!(wanted & HOST_ACCESS))
		*flags |= parent->flags & HOST_ACCESS;
	*flags |= parent->flags & HOST_POINTER;
	return CL_SUCCESS;
}

static cl_int create_sub(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type,
			 const cl_buffer_region *region, cl_mem *made)
{
	USE_MEMORY(parent, handle);
	cl_int error = inherit(parent, &flags);
	cl_mem memory;

	if (parent->parent)
		return CL_INVALID_MEM_OBJECT;
	if (error != CL_SUCCESS || type != CL_BUFFER_CREATE_TYPE_REGION || !region)
		return CL_INVALID_VALUE;
	if (region->size == 0)
		return CL_INVALID_BUFFER_SIZE;
	if (memory_check_part(parent, region->origin, region->size) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	if (region->origin % DEVICE_ALIGN != 0)
		return CL_MISALIGNED_SUB_BUFFER_OFFSET;
	memory = make(parent->context, flags, region->size);
	if (!memory)
		return CL_OUT_OF_HOST_MEMORY;
	memory->parent = object_hold(parent);
	memory->origin = region->origin;
	if (parent->host_pointer)
		memory->host_pointer = (uint8_t *)parent->host_pointer + region->origin;
	*made = memory;
	return CL_SUCCESS;
}

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
			 const void *info, cl_int *errcode_ret)
{
	cl_mem made = NULL;

	base_answer(errcode_ret, create_sub(buffer, flags, type, info, &made));
	return made;
}

cl_int clRetainMemObject(cl_mem memory)
{
	return object_retain(OBJECT_MEMORY, memory, CL_INVALID_MEM_OBJECT);
}

cl_int clReleaseMemObject(cl_mem memory)
{
	return object_release(OBJECT_MEMORY, memory, CL_INVALID_MEM_OBJECT);
}

cl_int clSetMemObjectDestructorCallback(cl_mem memory, memory_destructor *pfn_notify,
					void *user_data)
{
	USE_MEMORY(entered, memory);

	if (!pfn_notify)
		return CL_INVALID_VALUE;
	return callback_add(&entered->destructors, (void (*)(void))pfn_notify, 0, user_data);
}

static cl_uint map_count(cl_mem memory)
{
	cl_uint count;

	(void)pthread_mutex_lock(&memory->lock);
	count = memory->mapped;
	(void)pthread_mutex_unlock(&memory->lock);
	return count;
}

/** Whether the bytes are in shared virtual memory. */
static bool uses_shared(cl_mem memory)
{
	size_t origin;

	return memory_root(memory, &origin)->borrowed != NULL;
}

/** The pointer that the buffer was made with. */
static uintptr_t host_pointer_of(cl_mem memory)
{
	size_t origin;
	cl_mem root = memory_root(memory, &origin);

	if (root->borrowed)
		return root->addresses[root->borrowed->index] + origin;
	return (uintptr_t)memory->host_pointer;
}

cl_int clGetMemObjectInfo(cl_mem memory, cl_mem_info name, size_t size, void *value,
			  size_t *size_ret)
{
	const struct answer answer = { size, value, size_ret };
	USE_MEMORY(entered, memory);

	switch (name) {
	case CL_MEM_TYPE:
		return INFO_VALUE(&answer, cl_mem_object_type, CL_MEM_OBJECT_BUFFER);
	case CL_MEM_FLAGS:
		return INFO_VALUE(&answer, cl_mem_flags, entered->flags);
	case CL_MEM_SIZE:
		return INFO_VALUE(&answer, size_t, entered->size);
	case CL_MEM_HOST_PTR:
		return INFO_VALUE(&answer, uintptr_t, host_pointer_of(entered));
	case CL_MEM_MAP_COUNT:
		return INFO_VALUE(&answer, cl_uint, map_count(entered));
	case CL_MEM_REFERENCE_COUNT:
		return INFO_VALUE(&answer, cl_uint, object_handles(entered));
	case CL_MEM_CONTEXT:
		return INFO_VALUE(&answer, cl_context, entered->context);
	case CL_MEM_ASSOCIATED_MEMOBJECT:
		return INFO_VALUE(&answer, cl_mem, entered->parent);
	case CL_MEM_OFFSET:
		return INFO_VALUE(&answer, size_t, entered->origin);
	case CL_MEM_USES_SVM_POINTER:
		return INFO_VALUE(&answer, cl_bool, uses_shared(entered));
	case CL_MEM_PROPERTIES:
		return info_bytes(&answer, entered->properties, entered->property_bytes);
	default:
		return CL_INVALID_VALUE;
	}
}
