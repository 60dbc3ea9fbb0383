/* SPDX-License-Identifier: Apache-2.0 */
/* The calls for shared virtual memory. The memory is one for host and device, so maps and migrations only keep
 * the order. Where no device of a context has it (shared.h), the calls are refused. */
#include <stdlib.h>
#include <string.h>

#include "host/opencl/command.h"
#include "host/opencl/kernel.h"
#include "host/opencl/shared.h"

#define ACCESS (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
	const cl_svm_mem_flags access = flags & ACCESS;
	USE(cl_context, entered, OBJECT_CONTEXT, context, NULL);

	if ((flags & ~(cl_svm_mem_flags)(ACCESS | CL_MEM_SVM_FINE_GRAIN_BUFFER)) ||
	    (access & (access - 1)) || size == 0 || alignment > DEVICE_ALIGN ||
	    (alignment & (alignment - 1)))
		return NULL;
	return shared_alloc(entered, size);
}

void clSVMFree(cl_context context, void *pointer)
{
	cl_context entered = object_enter(OBJECT_CONTEXT, context);

	if (entered && pointer)
		shared_free(entered, pointer);
	object_drop(entered);
}

/* ---- Commands --------------------------------------------------------------------------- */

typedef void(CL_CALLBACK free_function)(cl_command_queue queue, cl_uint count, void *pointers[],
					void *user_data);

/** What a command has to do; each kind uses its part. */
struct work {
	void *to;
	const void *from;
	size_t bytes;
	free_function *function;
	void *user_data;
	cl_uint count;
	void *pointers[];
};

/** Posts a command that has been checked but for its queue. `pointers` are copied. */
static cl_int post(cl_command_queue handle, const struct command_kind *kind,
		   const struct work *what, void *const *pointers, bool blocking,
		   const struct wait_list *list, cl_event *wanted)
{
	USE_QUEUE(queue, handle);
	struct work *work;
	cl_event event;
	cl_int error;

	if (!shared_device(queue->context))
		return CL_INVALID_OPERATION;
	error = command_make(queue, kind, list, sizeof(*work) + what->count * sizeof(void *),
			     &event);
	if (error != CL_SUCCESS)
		return error;
	work = event->work;
	*work = *what;
	if (what->count)
		memcpy((void *)work->pointers, (const void *)pointers,
		       what->count * sizeof(void *));
	return command_post(event, blocking, wanted);
}

static cl_int run_free(cl_event event)
{
	struct work *work = event->work;

	if (work->function)
		work->function(event->queue, work->count, work->pointers, work->user_data);
	else
		for (cl_uint i = 0; i < work->count; i++)
			shared_free(event->context, work->pointers[i]);
	return CL_SUCCESS;
}

static cl_int run_copy(cl_event event)
{
	const struct work *work = event->work;

	memcpy(work->to, work->from, work->bytes);
	return CL_SUCCESS;
}

cl_int clEnqueueSVMFree(cl_command_queue queue, cl_uint count, void *pointers[],
			free_function *function, void *user_data, cl_uint wait_count,
			const cl_event *wait_list, cl_event *event)
{
	static const struct command_kind kind = { CL_COMMAND_SVM_FREE, NULL, run_free, NULL };
	const struct wait_list list = { wait_count, wait_list };
	const struct work work = { .function = function, .user_data = user_data, .count = count };

	if ((count == 0) != (pointers == NULL))
		return CL_INVALID_VALUE;
	return post(queue, &kind, &work, pointers, false, &list, event);
}

cl_int clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *to, const void *from,
			  size_t size, cl_uint wait_count, const cl_event *wait_list,
			  cl_event *event)
{
	static const struct command_kind kind = { CL_COMMAND_SVM_MEMCPY, NULL, run_copy, NULL };
	const struct wait_list list = { wait_count, wait_list };
	const struct work work = { .to = to, .from = from, .bytes = size };
	const uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;

	if (size > 0 && (!to || !from))
		return CL_INVALID_VALUE;
	if (a < b + size && b < a + size)
		return CL_MEM_COPY_OVERLAP;
	return post(queue, &kind, &work, NULL, blocking, &list, event);
}

cl_int clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *pointer,
		       size_t size, cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
	static const struct command_kind kind = { CL_COMMAND_SVM_MAP, NULL, command_run_nothing,
						  NULL };
	const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
	const struct wait_list list = { wait_count, wait_list };

	if (!pointer || size == 0 || (flags & ~known) ||
	    ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))))
		return CL_INVALID_VALUE;
	return post(queue, &kind, &(struct work){ 0 }, NULL, blocking, &list, event);
}

cl_int clEnqueueSVMUnmap(cl_command_queue queue, void *pointer, cl_uint wait_count,
			 const cl_event *wait_list, cl_event *event)
{
	static const struct command_kind kind = { CL_COMMAND_SVM_UNMAP, NULL, command_run_nothing,
						  NULL };
	const struct wait_list list = { wait_count, wait_list };

	if (!pointer)
		return CL_INVALID_VALUE;
	return post(queue, &kind, &(struct work){ 0 }, NULL, false, &list, event);
}

cl_int clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint count, const void **pointers,
			      const size_t *sizes, cl_mem_migration_flags flags, cl_uint wait_count,
			      const cl_event *wait_list, cl_event *event)
{
	static const struct command_kind kind = { CL_COMMAND_SVM_MIGRATE_MEM, NULL,
						  command_run_nothing, NULL };
	const cl_mem_migration_flags known =
		CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(entered, queue);

	if (count == 0 || !pointers || (flags & ~known))
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < count; i++) {
		if (!shared_has(entered->context, pointers[i], sizes && sizes[i] ? sizes[i] : 1))
			return CL_INVALID_VALUE;
	}
	return post(queue, &kind, &(struct work){ 0 }, NULL, false, &list, event);
}

/* ---- Kernels ---------------------------------------------------------------------------- */

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *value)
{
	USE_KERNEL(entered, kernel);
	struct argument *argument;

	if (!shared_device(entered->program->context))
		return CL_INVALID_OPERATION;
	if (index >= entered->info.parameters)
		return CL_INVALID_ARG_INDEX;
	if (entered->parameters[index].kind != GG_ARGUMENT_BUFFER)
		return CL_INVALID_ARG_VALUE;
	argument = &entered->arguments[index];
	argument->memory = NULL;
	argument->address = (uintptr_t)value;
	argument->bytes = sizeof(uint64_t);
	argument->set = true;
	return CL_SUCCESS;
}

/** A kernel may reach all shared memory without being told which. */
cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
			   const void *value)
{
	USE_KERNEL(entered, kernel);
	cl_bool wanted;

	if (!shared_device(entered->program->context))
		return CL_INVALID_OPERATION;
	if (!value)
		return CL_INVALID_VALUE;
	if (name == CL_KERNEL_EXEC_INFO_SVM_PTRS)
		return size > 0 && size % sizeof(void *) == 0 ? CL_SUCCESS : CL_INVALID_VALUE;
	if (name != CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM || size != sizeof(wanted))
		return CL_INVALID_VALUE;
	memcpy(&wanted, value, sizeof(wanted));
	return wanted ? CL_INVALID_OPERATION : CL_SUCCESS;
}
