/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a command buffer that are changed between replays: arguments and sizes. A change is made as a whole or not at
 * all, others than those asked for stay as they are, and what may not be changed is refused. */
#include "step.h"

#define ITEMS 16u

static const size_t items = ITEMS, group = 4;

static cl_command_buffer_khr make_mutable(void)
{
	const cl_command_buffer_properties_khr list[] = { CL_COMMAND_BUFFER_FLAGS_KHR,
							  CL_COMMAND_BUFFER_MUTABLE_KHR, 0 };
	cl_int error;
	cl_command_buffer_khr made = ext.create(1, &queue, list, &error);

	OK(error);
	return made;
}

/** Records a step; the program's kernel is released, and its arguments change after that.
 * @param fields  What can be changed; 0: all. */
static cl_mutable_command_khr record(cl_command_buffer_khr recording, cl_mem memory, cl_uint k,
				     cl_mutable_dispatch_fields_khr fields)
{
	const cl_ndrange_kernel_command_properties_khr list[] = {
		CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, fields, 0
	};
	cl_kernel made = step_kernel(memory, k);
	cl_mutable_command_khr handle = NULL;
	const cl_uint other = 99;

	OK(ext.kernel(recording, NULL, fields ? list : NULL, made, 1, NULL, &items, &group, 0, NULL,
		      NULL, &handle));
	TRUE(handle);
	OK(clSetKernelArg(made, 1, sizeof(other), &other));
	OK(clReleaseKernel(made));
	return handle;
}

/** Makes changes. @return what the call does. */
static cl_int update(cl_command_buffer_khr recording, const cl_mutable_dispatch_config_khr *changes,
		     cl_uint count)
{
	const cl_mutable_base_config_khr base = { CL_STRUCTURE_TYPE_MUTABLE_BASE_CONFIG_KHR, NULL,
						  count, changes };

	return ext.update(recording, &base);
}

static cl_mutable_dispatch_config_khr change_of(cl_mutable_command_khr command)
{
	return (cl_mutable_dispatch_config_khr){
		.type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR, .command = command
	};
}

/** Whether the words are `first` from `from` up to `to`, and `rest` elsewhere. */
static void has(cl_mem memory, size_t from, size_t to, cl_uint first, cl_uint rest)
{
	cl_uint all[2 * ITEMS];

	read_all(memory, all, sizeof(all));
	for (size_t i = 0; i < 2 * ITEMS; i++)
		IS(all[i], i >= from && i < to ? first : rest);
}

static cl_mem zeros(void)
{
	const cl_uint zero = 0;
	cl_mem made = buffer(2 * ITEMS * sizeof(cl_uint));

	OK(clEnqueueFillBuffer(queue, made, &zero, sizeof(zero), 0, 2 * ITEMS * sizeof(cl_uint), 0,
			       NULL, NULL));
	return made;
}

/** Another value, another buffer, other sizes; one of two kernels, and both of them. */
static void changes(void)
{
	cl_mem one = zeros(), other = zeros();
	cl_command_buffer_khr recording = make_mutable();
	cl_mutable_command_khr first = record(recording, one, 1, 0);
	cl_mutable_command_khr second = record(recording, one, 2, 0);
	const cl_uint five = 5, seven = 7;
	const size_t offset = 8, all = 2 * ITEMS - 8, wide = 8;
	const cl_mutable_dispatch_arg_khr value[] = { { 1, sizeof(five), &five } };
	const cl_mutable_dispatch_arg_khr both[] = { { 0, sizeof(other), &other },
						     { 1, sizeof(seven), &seven } };
	cl_mutable_dispatch_config_khr list[2];

	OK(ext.finalize(recording));
	replay(recording);
	has(one, 0, ITEMS, 1 * 3 + 2, 0);
	list[0] = change_of(first);
	list[0].num_args = 1;
	list[0].arg_list = value;
	OK(clFinish(queue));
	OK(update(recording, list, 1));
	replay(recording);
	has(one, 0, ITEMS, (5 * 3 + 5) * 3 + 2, 0);
	/* The first one goes on with its 5 elsewhere, and the second one has it all changed. */
	list[0].arg_list = both;
	list[1] = change_of(second);
	list[1].num_args = 2;
	list[1].arg_list = both;
	list[1].work_dim = 1;
	list[1].global_work_offset = &offset;
	list[1].global_work_size = &all;
	list[1].local_work_size = &wide;
	OK(clFinish(queue));
	OK(update(recording, list, 2));
	replay(recording);
	has(one, 0, ITEMS, (5 * 3 + 5) * 3 + 2, 0);
	{
		cl_uint words[2 * ITEMS];

		read_all(other, words, sizeof(words));
		for (size_t i = 0; i < 2 * ITEMS; i++) {
			const cl_uint before = i < ITEMS ? five : 0;

			IS(words[i], i < offset ? before : before * 3 + seven);
		}
	}
	OK(ext.release(recording));
	OK(clReleaseMemObject(one));
	OK(clReleaseMemObject(other));
}

/** A list whose last change is wrong changes nothing. */
static void whole(void)
{
	cl_mem memory = zeros();
	cl_command_buffer_khr recording = make_mutable();
	cl_mutable_command_khr first = record(recording, memory, 1, 0);
	const cl_uint five = 5;
	const size_t none = 0;
	const cl_mutable_dispatch_arg_khr good[] = { { 1, sizeof(five), &five } };
	const cl_mutable_dispatch_arg_khr bad[] = { { 1, 1, &five } };
	cl_mutable_dispatch_config_khr list[2] = { change_of(first), change_of(first) };

	OK(ext.finalize(recording));
	list[0].num_args = list[1].num_args = 1;
	list[0].arg_list = good;
	list[1].arg_list = bad;
	IS(update(recording, list, 2), CL_INVALID_ARG_SIZE);
	list[1].arg_list = good;
	list[1].work_dim = 1;
	list[1].global_work_size = &none;
	IS(update(recording, list, 2), CL_INVALID_GLOBAL_WORK_SIZE);
	replay(recording);
	has(memory, 0, ITEMS, 1, 0);
	/* Nor is anything left of it when the sizes of groups change next. */
	list[0] = change_of(first);
	list[0].work_dim = 1;
	list[0].local_work_size = &items;
	OK(update(recording, list, 1));
	replay(recording);
	has(memory, 0, ITEMS, 4, 0);
	OK(ext.release(recording));
	OK(clReleaseMemObject(memory));
}

static void refusals(void)
{
	cl_mem memory = zeros();
	cl_command_buffer_khr recording = make_mutable(), rigid = make(queue, false);
	cl_mutable_command_khr first =
		record(recording, memory, 1, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR);
	const cl_ndrange_kernel_command_properties_khr wrong[] = {
		CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1 << 9, 0
	};
	const cl_uint five = 5;
	const cl_mutable_dispatch_arg_khr value[] = { { 1, sizeof(five), &five } };
	cl_mutable_dispatch_config_khr change = change_of(first);
	cl_kernel made = step_kernel(memory, 1);
	cl_mutable_command_khr handle;
	cl_event gate;
	cl_int error;

	change.num_args = 1;
	change.arg_list = value;
	IS(update(recording, &change, 1), CL_INVALID_OPERATION); /* It is not final yet. */
	IS(ext.kernel(recording, NULL, wrong, made, 1, NULL, &items, NULL, 0, NULL, NULL, &handle),
	   CL_INVALID_VALUE);
	IS(ext.kernel(rigid, NULL, NULL, made, 1, NULL, &items, NULL, 0, NULL, NULL, &handle),
	   CL_INVALID_VALUE);
	OK(ext.finalize(recording));
	OK(ext.finalize(rigid));
	IS(update(rigid, &change, 1), CL_INVALID_OPERATION);
	IS(ext.update(recording, NULL), CL_INVALID_VALUE);
	IS(update(recording, &change, 0), CL_INVALID_VALUE);
	change.num_args = 0;
	IS(update(recording, &change, 1), CL_INVALID_VALUE);
	change.num_args = 1;
	change.type = CL_STRUCTURE_TYPE_MUTABLE_BASE_CONFIG_KHR;
	IS(update(recording, &change, 1), CL_INVALID_VALUE);
	change.type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
	change.command = (cl_mutable_command_khr)made;
	IS(update(recording, &change, 1), CL_INVALID_MUTABLE_COMMAND_KHR);
	change.command = first;
	change.work_dim = 1;
	change.global_work_size = &items;
	IS(update(recording, &change, 1), CL_INVALID_OPERATION); /* Only its arguments. */
	change.global_work_size = NULL;
	/* While a replay waits. */
	gate = clCreateUserEvent(context, &error);
	OK(error);
	OK(ext.enqueue(0, NULL, recording, 1, &gate, NULL));
	IS(update(recording, &change, 1), CL_INVALID_OPERATION);
	OK(clSetUserEventStatus(gate, CL_COMPLETE));
	OK(clFinish(queue));
	OK(update(recording, &change, 1));
	OK(clReleaseEvent(gate));
	OK(clReleaseKernel(made));
	OK(ext.release(recording));
	OK(ext.release(rigid));
	IS(ext.command_info(first, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, 0, NULL, NULL),
	   CL_INVALID_MUTABLE_COMMAND_KHR);
	OK(clReleaseMemObject(memory));
}

/** Asks for something of a type. */
#define ASK(command, name, type, expected)                                               \
	do {                                                                             \
		type answer_;                                                            \
		size_t bytes_ = 0;                                                       \
		OK(ext.command_info(command, name, sizeof(answer_), &answer_, &bytes_)); \
		IS(bytes_, sizeof(answer_));                                             \
		TRUE(answer_ == (expected));                                             \
	} while (0)

static void questions(void)
{
	cl_mem memory = zeros();
	cl_command_buffer_khr recording = make_mutable();
	cl_mutable_command_khr first =
		record(recording, memory, 1, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR);
	cl_kernel made = step_kernel(memory, 1);
	cl_ndrange_kernel_command_properties_khr list[3] = { 0 };
	cl_mutable_command_khr second = NULL;
	size_t bytes = 0;

	OK(ext.kernel(recording, NULL, NULL, made, 1, &group, &items, NULL, 0, NULL, NULL,
		      &second));
	ASK(first, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, cl_command_queue, queue);
	ASK(first, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, cl_command_buffer_khr, recording);
	ASK(first, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, cl_command_type, CL_COMMAND_NDRANGE_KERNEL);
	ASK(second, CL_MUTABLE_DISPATCH_KERNEL_KHR, cl_kernel, made);
	ASK(first, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, cl_uint, 1);
	ASK(first, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, size_t, 0);
	ASK(second, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, size_t, group);
	ASK(first, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, size_t, items);
	ASK(first, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, size_t, group);
	ASK(second, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, size_t, 0);
	OK(ext.command_info(first, CL_MUTABLE_DISPATCH_PROPERTIES_ARRAY_KHR, sizeof(list), list,
			    &bytes));
	IS(bytes, sizeof(list));
	IS(list[1], CL_MUTABLE_DISPATCH_ARGUMENTS_KHR);
	OK(ext.command_info(second, CL_MUTABLE_DISPATCH_PROPERTIES_ARRAY_KHR, 0, NULL, &bytes));
	IS(bytes, 0);
	IS(ext.command_info(first, 77, 0, NULL, NULL), CL_INVALID_VALUE);
	OK(clReleaseKernel(made));
	OK(ext.release(recording));
	OK(clReleaseMemObject(memory));
}

int main(void)
{
	begin();
	find_extension(platform);
	program = build(STEP);
	changes();
	whole();
	refusals();
	questions();
	OK(clReleaseProgram(program));
	return finish();
}
