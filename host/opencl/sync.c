/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that do nothing but keep an order: markers, barriers, migrations; and clFinish(). */
#include "host/opencl/command.h"
#include "host/opencl/memory.h"

static const struct command_kind marker = { CL_COMMAND_MARKER, NULL, command_run_nothing, NULL };
static const struct command_kind barrier = { CL_COMMAND_BARRIER, NULL, command_run_nothing, NULL };

static cl_int enqueue(cl_command_queue handle, const struct command_kind *kind,
		      const struct wait_list *list, bool blocking, cl_event *wanted)
{
	USE_QUEUE(queue, handle);
	cl_event event;
	cl_int error = command_make(queue, kind, list, 0, &event);

	if (error != CL_SUCCESS)
		return error;
	return command_post_behind_all(event, kind == &barrier, blocking, wanted);
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint wait_count,
				   const cl_event *wait_list, cl_event *event)
{
	return enqueue(queue, &marker, &(struct wait_list){ wait_count, wait_list }, false, event);
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint wait_count,
				    const cl_event *wait_list, cl_event *event)
{
	return enqueue(queue, &barrier, &(struct wait_list){ wait_count, wait_list }, false, event);
}

cl_int clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
	if (!event)
		return CL_INVALID_VALUE;
	return enqueue(queue, &marker, &(struct wait_list){ 0, NULL }, false, event);
}

cl_int clEnqueueBarrier(cl_command_queue queue)
{
	return enqueue(queue, &barrier, &(struct wait_list){ 0, NULL }, false, NULL);
}

cl_int clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event *events)
{
	cl_int error;

	if (count == 0 || !events)
		return CL_INVALID_VALUE;
	error = enqueue(queue, &barrier, &(struct wait_list){ count, events }, false, NULL);
	return error == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : error;
}

/** All that is ready is on its way already. */
cl_int clFlush(cl_command_queue queue)
{
	USE_QUEUE(entered, queue);

	return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue)
{
	USE_QUEUE(entered, queue);

	if (entered->in_order)
		return command_finish(entered);
	return enqueue(queue, &marker, &(struct wait_list){ 0, NULL }, true, NULL);
}

/** Buffers that are brought to the queue's device. */
struct migration {
	cl_uint count;
	bool content; /* Theirs matters. */
	cl_mem memories[];
};

static cl_int run_migration(cl_event event)
{
	const struct migration *work = event->work;
	cl_int error = CL_SUCCESS;
	uint64_t address;

	for (cl_uint i = 0; work->content && error == CL_SUCCESS && i < work->count; i++)
		error = memory_place(work->memories[i], event->queue->device, &address);
	return error;
}

static void end_migration(void *work)
{
	struct migration *migration = work;

	for (cl_uint i = 0; i < migration->count; i++)
		object_drop(migration->memories[i]);
}

/** Takes references to the buffers. */
static cl_int take_memories(cl_event event, cl_uint count, const cl_mem *memories)
{
	struct migration *work = event->work;

	for (cl_uint i = 0; i < count; i++) {
		cl_mem memory = object_enter(OBJECT_MEMORY, memories[i]);

		if (!memory)
			return CL_INVALID_MEM_OBJECT;
		work->memories[work->count++] = memory;
		if (memory->context != event->context)
			return CL_INVALID_CONTEXT;
	}
	return CL_SUCCESS;
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint count, const cl_mem *memories,
				  cl_mem_migration_flags flags, cl_uint wait_count,
				  const cl_event *wait_list, cl_event *event)
{
	static const struct command_kind kind = { CL_COMMAND_MIGRATE_MEM_OBJECTS, NULL,
						  run_migration, end_migration };
	const cl_mem_migration_flags known =
		CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
	const struct wait_list list = { wait_count, wait_list };
	USE_QUEUE(entered, queue);
	struct migration *work;
	cl_event made;
	cl_int error;

	if (count == 0 || !memories || (flags & ~known))
		return CL_INVALID_VALUE;
	error = command_make(entered, &kind, &list, sizeof(*work) + count * sizeof(cl_mem), &made);
	if (error != CL_SUCCESS)
		return error;
	work = made->work;
	work->content = !(flags & known);
	error = take_memories(made, count, memories);
	if (error != CL_SUCCESS) {
		command_give_up(made);
		return error;
	}
	return command_post(made, false, event);
}
