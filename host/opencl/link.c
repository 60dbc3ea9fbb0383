/* SPDX-License-Identifier: Apache-2.0 */
/* clLinkProgram(). The call has linked all when it returns, also when it is given a callback. */
#include <stdlib.h>
#include <string.h>

#include "host/opencl/compiler.h"
#include "host/opencl/program.h"

/** What is linked: programs that the call has references to. */
struct inputs {
	cl_uint count;
	cl_program *programs;
};

static bool is_object(const struct build *build)
{
	return build && build->image &&
	       (build->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
		build->type == CL_PROGRAM_BINARY_TYPE_LIBRARY);
}

/** The objects for a device: those of all programs, or of none.
 * @return CL_INVALID_OPERATION: only some of them have one. */
static cl_int find_pieces(const struct inputs *inputs, cl_device_id device, struct piece *pieces,
			  size_t *count)
{
	*count = 0;
	for (cl_uint i = 0; i < inputs->count; i++) {
		const struct build *build = program_build_of(inputs->programs[i], device);

		if (is_object(build))
			pieces[(*count)++] = (struct piece){ build->image, build->image_bytes };
	}
	return *count == 0 || *count == inputs->count ? CL_SUCCESS : CL_INVALID_OPERATION;
}

static cl_int link_one(struct build *build, const struct piece *pieces, size_t count, bool library)
{
	const struct compilation what = { .step = library ? COMPILER_LIBRARY : COMPILER_LINK,
					  .device = build->device,
					  .pieces = pieces,
					  .piece_count = count };
	struct compiled compiled;
	cl_int error = CL_SUCCESS;

	compiler_run(&what, &compiled);
	build->log = compiled.log;
	build->image = compiled.image;
	build->image_bytes = compiled.bytes;
	if (!compiled.image || (!library && program_load(build) != CL_SUCCESS))
		error = CL_LINK_PROGRAM_FAILURE;
	build->status = error == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
	if (error == CL_SUCCESS)
		build->type = library ? CL_PROGRAM_BINARY_TYPE_LIBRARY
				      : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
	return error;
}

static cl_int link_all(cl_program program, const struct inputs *inputs, bool library,
		       const char *text)
{
	struct piece *pieces = calloc(inputs->count, sizeof(*pieces));
	cl_int result = pieces ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
	size_t all = 0, count;

	for (cl_uint i = 0; result == CL_SUCCESS && i < program->count; i++) {
		result = find_pieces(inputs, program->builds[i].device, pieces, &count);
		if (result != CL_SUCCESS || count == 0)
			continue;
		all += count;
		program->builds[i].options = text ? strdup(text) : NULL;
		result = link_one(&program->builds[i], pieces, count, library);
	}
	free(pieces);
	return result == CL_SUCCESS && all == 0 ? CL_INVALID_OPERATION : result;
}

/** Takes references to the programs. */
static cl_int enter_inputs(cl_context context, cl_uint count, const cl_program *handles,
			   struct inputs *inputs)
{
	if (count == 0 || !handles)
		return CL_INVALID_VALUE;
	inputs->programs = (cl_program *)calloc(count, sizeof(cl_program));
	if (!inputs->programs)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; i < count; i++) {
		cl_program program = object_enter(OBJECT_PROGRAM, handles[i]);

		if (!program)
			return CL_INVALID_PROGRAM;
		inputs->programs[inputs->count++] = program;
		if (program->context != context)
			return CL_INVALID_CONTEXT;
	}
	return CL_SUCCESS;
}

static void leave_inputs(struct inputs *inputs)
{
	for (cl_uint i = 0; i < inputs->count; i++)
		object_drop(inputs->programs[i]);
	free((void *)inputs->programs);
}

/** Leaves only the devices of a list. @return CL_INVALID_DEVICE: one is not of the context. */
static cl_int choose(cl_program program, cl_uint count, const cl_device_id *devices)
{
	if ((count == 0) != (devices == NULL))
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < count; i++) {
		if (!context_has(program->context, devices[i]))
			return CL_INVALID_DEVICE;
	}
	for (cl_uint i = 0; i < count && i < DEVICES_MAX; i++)
		program->builds[i].device = devices[i];
	program->count = count > 0 && count < DEVICES_MAX ? count : program->count;
	return CL_SUCCESS;
}

static cl_int link_program(cl_program made, cl_uint device_count, const cl_device_id *devices,
			   const char *text, cl_uint count, const cl_program *handles)
{
	struct inputs inputs = { 0 };
	struct options options = { 0 };
	cl_int error = choose(made, device_count, devices);

	if (error == CL_SUCCESS)
		error = enter_inputs(made->context, count, handles, &inputs);
	if (error == CL_SUCCESS)
		error = options_read(text, true, &options);
	if (error == CL_SUCCESS) {
		error = link_all(made, &inputs, options.library, text);
		options_free(&options);
	}
	leave_inputs(&inputs);
	return error;
}

cl_program clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *device_list,
			 const char *options, cl_uint num_input_programs,
			 const cl_program *input_programs, program_notify *pfn_notify,
			 void *user_data, cl_int *errcode_ret)
{
	cl_program made = NULL;
	cl_int error = !pfn_notify && user_data ? CL_INVALID_VALUE : program_make(context, &made);

	if (error == CL_SUCCESS)
		error = link_program(made, num_devices, device_list, options, num_input_programs,
				     input_programs);
	/* A program that could not be linked still has its log. */
	if (made && error != CL_SUCCESS && error != CL_LINK_PROGRAM_FAILURE) {
		object_drop(made);
		made = NULL;
	}
	if (made && pfn_notify)
		pfn_notify(made, user_data);
	base_answer(errcode_ret, error);
	return made;
}
