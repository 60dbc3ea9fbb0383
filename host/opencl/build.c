/* SPDX-License-Identifier: Apache-2.0 */
/* clBuildProgram(), clCompileProgram(), clLinkProgram(). A call has built all when it returns, also
 * when it is given a callback. */
#include <stdlib.h>
#include <string.h>

#include "host/opencl/compiler.h"
#include "host/opencl/program.h"

/** Which devices a call is for. */
struct targets {
	cl_uint count;
	const cl_device_id *devices; /* NULL: all. */
};

/** Whether a build is one of those wanted. */
static bool is_target(const struct targets *targets, const struct build *build)
{
	cl_uint i = 0;

	while (i < targets->count && targets->devices[i] != build->device)
		i++;
	return !targets->devices || i < targets->count;
}

static cl_int check_targets(cl_program program, const struct targets *targets)
{
	if ((targets->count == 0) != (targets->devices == NULL))
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < targets->count; i++) {
		if (!program_build_of(program, targets->devices[i]))
			return CL_INVALID_DEVICE;
	}
	return CL_SUCCESS;
}

/** Builds the source for one device. */
static cl_int build_source(cl_program program, struct build *build, const struct options *options)
{
	const struct compilation what = { .source = program->source,
					  .options = options,
					  .device = build->device };
	struct compiled compiled;

	compiler_run(&what, &compiled);
	build->log = compiled.log;
	build->image = compiled.image;
	build->image_bytes = compiled.bytes;
	if (!compiled.image)
		return CL_BUILD_PROGRAM_FAILURE;
	return program_load(program, build) == CL_SUCCESS ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

static cl_int build_one(cl_program program, struct build *build, const char *text,
			const struct options *options)
{
	cl_int error;

	if (program->source) {
		program_clear(build);
		error = build_source(program, build, options);
	} else if (build->module) {
		error = CL_SUCCESS;
	} else {
		error = build->image ? program_load(program, build) : CL_INVALID_BINARY;
	}
	free(build->options);
	build->options = text ? strdup(text) : NULL;
	build->status = error == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
	if (error == CL_SUCCESS)
		build->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
	return error;
}

static cl_int build(cl_program program, const struct targets *targets, const char *text)
{
	struct options options;
	cl_int error = check_targets(program, targets);
	cl_int result = CL_SUCCESS;

	if (error != CL_SUCCESS)
		return error;
	if (__atomic_load_n(&program->kernels, __ATOMIC_ACQUIRE) > 0)
		return CL_INVALID_OPERATION;
	error = options_read(text, false, &options);
	if (error != CL_SUCCESS)
		return error;
	for (cl_uint i = 0; i < program->count; i++) {
		if (!is_target(targets, &program->builds[i]))
			continue;
		error = build_one(program, &program->builds[i], text, &options);
		if (result == CL_SUCCESS)
			result = error;
	}
	options_free(&options);
	return result;
}

cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
		      const char *options, program_notify *pfn_notify, void *user_data)
{
	const struct targets targets = { num_devices, device_list };
	USE_PROGRAM(entered, program);
	cl_int error;

	if (!pfn_notify && user_data)
		return CL_INVALID_VALUE;
	error = build(entered, &targets, options);
	if (pfn_notify && (error == CL_SUCCESS || error == CL_BUILD_PROGRAM_FAILURE)) {
		pfn_notify(program, user_data);
		return CL_SUCCESS;
	}
	return error;
}

/** Sources that are compiled alone are not linked yet: there is no form for them. */
cl_int clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
			const char *options, cl_uint num_input_headers,
			const cl_program *input_headers, const char **header_include_names,
			program_notify *pfn_notify, void *user_data)
{
	USE_PROGRAM(entered, program);

	(void)num_devices;
	(void)device_list;
	(void)options;
	(void)num_input_headers;
	(void)input_headers;
	(void)header_include_names;
	(void)pfn_notify;
	(void)user_data;
	return CL_COMPILER_NOT_AVAILABLE;
}

cl_program clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *device_list,
			 const char *options, cl_uint num_input_programs,
			 const cl_program *input_programs, program_notify *pfn_notify,
			 void *user_data, cl_int *errcode_ret)
{
	(void)context;
	(void)num_devices;
	(void)device_list;
	(void)options;
	(void)num_input_programs;
	(void)input_programs;
	(void)pfn_notify;
	(void)user_data;
	base_answer(errcode_ret, CL_LINKER_NOT_AVAILABLE);
	return NULL;
}
