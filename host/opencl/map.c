/* SPDX-License-Identifier: Apache-2.0 */
/* Mapping of buffers. Where this host shares the device's memory, a mapping is a pointer into it.
 * Otherwise, and for CL_MEM_USE_HOST_PTR, the bytes are copied when the map command runs, and back
 * when that of the unmapping does. */
#include <stdlib.h>
#include <string.h>

#include "host/opencl/command.h"
#include "host/opencl/memory.h"

#define WRITES (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)

/** Work of both commands. */
struct map_work {
	cl_mem root;             /* The buffer that has the memory. */
	struct mapping *mapping; /* Of an unmapping, which frees it. */
	uint8_t *pointer;        /* Of a map: to which the bytes are copied, */
	size_t offset, bytes;    /* and which. */
	bool copies;
};

static cl_int run_map(cl_event event)
{
	const struct map_work *work = event->work;
	uint64_t address;
	cl_int error = memory_place(work->root, event->queue->device, &address);

	if (error == CL_SUCCESS && work->copies)
		error = device_read(event->queue->device, address + work->offset, work->pointer,
				    work->bytes);
	return error;
}

static cl_int run_unmap(cl_event event)
{
	const struct map_work *work = event->work;
	const struct mapping *mapping = work->mapping;
	uint64_t address;
	cl_int error = memory_place(work->root, event->queue->device, &address);

	if (error == CL_SUCCESS && !mapping->direct && (mapping->flags & WRITES))
		error = device_write(event->queue->device, address + mapping->offset,
				     mapping->pointer, mapping->bytes);
	return error;
}

static void end(void *what)
{
	struct map_work *work = what;

	if (work->mapping && work->mapping->owned)
		free(work->mapping->pointer);
	free(work->mapping);
	object_drop(work->root);
}

static const struct command_kind map_kind = { CL_COMMAND_MAP_BUFFER, NULL, run_map, end };
static const struct command_kind unmap_kind = { CL_COMMAND_UNMAP_MEM_OBJECT, NULL, run_unmap, end };

/** Finds the pointer of a mapping. @return CL_MAP_FAILURE: no memory. */
static cl_int find_pointer(cl_device_id device, cl_mem root, struct mapping *mapping)
{
	uint64_t address;
	cl_int error;

	if (root->host_pointer) {
		mapping->pointer = (uint8_t *)root->host_pointer + mapping->offset;
		return CL_SUCCESS;
	}
	address = memory_address(root, device);
	if (address == 0) {
		error = memory_place(root, device, &address);
		if (error != CL_SUCCESS)
			return CL_MAP_FAILURE;
	}
	mapping->pointer = device_view(device, address + mapping->offset);
	mapping->direct = mapping->pointer != NULL;
	if (!mapping->direct) {
		mapping->pointer = malloc(mapping->bytes);
		mapping->owned = true;
	}
	return mapping->pointer ? CL_SUCCESS : CL_MAP_FAILURE;
}

static void note(cl_mem root, struct mapping *mapping)
{
	(void)pthread_mutex_lock(&root->lock);
	mapping->next = root->mappings;
	root->mappings = mapping;
	root->mapped++;
	(void)pthread_mutex_unlock(&root->lock);
}

/** Takes the mapping of a pointer out of the list; NULL: there is none. */
static struct mapping *take(cl_mem root, const void *pointer)
{
	struct mapping **link = &root->mappings;
	struct mapping *found;

	(void)pthread_mutex_lock(&root->lock);
	while (*link && (*link)->pointer != pointer)
		link = &(*link)->next;
	found = *link;
	if (found) {
		*link = found->next;
		root->mapped--;
	}
	(void)pthread_mutex_unlock(&root->lock);
	return found;
}

static cl_int check_map(cl_command_queue queue, cl_mem memory, cl_map_flags flags, size_t offset,
			size_t size)
{
	if (memory->context != queue->context)
		return CL_INVALID_CONTEXT;
	if (memory_check_part(memory, offset, size) != CL_SUCCESS ||
	    (flags & ~(cl_map_flags)(CL_MAP_READ | WRITES)) ||
	    ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))))
		return CL_INVALID_VALUE;
	if (((flags & CL_MAP_READ) &&
	     (memory->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS))) ||
	    ((flags & WRITES) && (memory->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))))
		return CL_INVALID_OPERATION;
	return memory_check_origin(memory);
}

/** Makes a mapping, and posts its command. */
static cl_int post_map(cl_event event, cl_mem root, const struct mapping *wanted, bool blocking,
		       cl_event *answer, void **pointer)
{
	struct map_work *work = event->work;
	struct mapping *mapping = malloc(sizeof(*mapping));
	cl_int error = mapping ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;

	if (mapping) {
		*mapping = *wanted;
		error = find_pointer(event->queue->device, root, mapping);
	}
	if (error != CL_SUCCESS) {
		free(mapping);
		command_give_up(event);
		return error;
	}
	work->root = object_hold(root);
	work->pointer = mapping->pointer;
	work->offset = mapping->offset;
	work->bytes = mapping->bytes;
	work->copies = !mapping->direct && !(mapping->flags & CL_MAP_WRITE_INVALIDATE_REGION);
	*pointer = mapping->pointer;
	note(root, mapping);
	return command_post(event, blocking, answer);
}

static cl_int map(cl_command_queue handle, cl_mem buffer, bool blocking,
		  const struct mapping *wanted, const struct wait_list *list, cl_event *answer,
		  void **pointer)
{
	USE_QUEUE(queue, handle);
	USE_MEMORY(memory, buffer);
	struct mapping mapping = *wanted;
	size_t origin;
	cl_mem root = memory_root(memory, &origin);
	cl_event event;
	cl_int error = check_map(queue, memory, wanted->flags, wanted->offset, wanted->bytes);

	if (error == CL_SUCCESS)
		error = command_make(queue, &map_kind, list, sizeof(struct map_work), &event);
	if (error != CL_SUCCESS)
		return error;
	mapping.offset += origin;
	return post_map(event, root, &mapping, blocking, answer, pointer);
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
			 cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
			 const cl_event *wait_list, cl_event *event, cl_int *errcode_ret)
{
	const struct wait_list list = { wait_count, wait_list };
	const struct mapping wanted = { .offset = offset, .bytes = size, .flags = flags };
	void *pointer = NULL;
	cl_int error = map(queue, buffer, blocking, &wanted, &list, event, &pointer);

	base_answer(errcode_ret, error);
	return error == CL_SUCCESS ? pointer : NULL;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void *pointer,
			       cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(entered, queue);
	USE_MEMORY(memory, buffer);
	size_t origin;
	cl_mem root = memory_root(memory, &origin);
	struct map_work *work;
	struct mapping *mapping;
	cl_event made;
	cl_int error;

	if (memory->context != entered->context)
		return CL_INVALID_CONTEXT;
	error = command_make(entered, &unmap_kind, &list, sizeof(*work), &made);
	if (error != CL_SUCCESS)
		return error;
	mapping = take(root, pointer);
	if (!mapping) {
		command_give_up(made);
		return CL_INVALID_VALUE;
	}
	work = made->work;
	work->root = object_hold(root);
	work->mapping = mapping;
	return command_post(made, false, event);
}
