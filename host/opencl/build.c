/* SPDX-License-Identifier: Apache-2.0 */
/* clBuildProgram() and clCompileProgram(). A call has built all when it returns, also when it is given a
 * callback. */
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

/** What a call does for each device. */
struct step {
	enum compiler_step step;
	struct options options;
	const char *text; /* The options as they were given; or NULL. */
	struct header *headers;
	cl_uint header_count;
	cl_int failure; /* What it returns when a compiler finds something wrong. */
};

/** Compiles the source for one device. */
static cl_int compile_source(cl_program program, struct build *build, const struct step *step)
{
	const struct compilation what = {
		.step = step->step,
		.device = build->device,
		.source = program->il ? (const char *)program->il : program->source,
		.source_bytes = program->il ? program->il_bytes : strlen(program->source),
		.il = program->il != NULL,
		.constants = program->constants,
		.constant_count = program->constant_count,
		.options = &step->options,
		.headers = step->headers,
		.header_count = step->header_count
	};
	struct compiled compiled;

	compiler_run(&what, &compiled);
	build->log = compiled.log;
	build->image = compiled.image;
	build->image_bytes = compiled.bytes;
	if (!compiled.image)
		return step->failure;
	if (step->step == COMPILER_OBJECT)
		return CL_SUCCESS;
	return program_load(build) == CL_SUCCESS ? CL_SUCCESS : step->failure;
}

static cl_int build_one(cl_program program, struct build *build, const struct step *step)
{
	cl_int error;

	if (program->source || program->il) {
		program_clear(build);
		error = compile_source(program, build, step);
		build->type = step->step == COMPILER_OBJECT ? CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT
							    : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
	} else if (build->module) {
		error = CL_SUCCESS;
	} else {
		error = build->image && build->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE
				? program_load(build)
				: CL_INVALID_BINARY;
	}
	free(build->options);
	build->options = step->text ? strdup(step->text) : NULL;
	build->status = error == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
	if (error != CL_SUCCESS)
		build->type = CL_PROGRAM_BINARY_TYPE_NONE;
	return error;
}

/** Builds for all devices that are wanted. */
static cl_int build_all(cl_program program, const struct targets *targets, struct step *step)
{
	cl_int error = check_targets(program, targets);
	cl_int result = CL_SUCCESS;

	if (error != CL_SUCCESS)
		return error;
	if (__atomic_load_n(&program->kernels, __ATOMIC_ACQUIRE) > 0)
		return CL_INVALID_OPERATION;
	error = options_read(step->text, false, &step->options);
	if (error != CL_SUCCESS)
		return error == CL_INVALID_BUILD_OPTIONS && step->step == COMPILER_OBJECT
			       ? CL_INVALID_COMPILER_OPTIONS
			       : error;
	for (cl_uint i = 0; i < program->count; i++) {
		if (!is_target(targets, &program->builds[i]))
			continue;
		error = build_one(program, &program->builds[i], step);
		if (result == CL_SUCCESS)
			result = error;
	}
	options_free(&step->options);
	return result;
}

/** The answer of a call that may have a callback: with one, a failure of the compiler is for it. */
static cl_int answer(cl_program program, cl_int error, const struct step *step,
		     program_notify *notify, void *user_data)
{
	if (!notify || (error != CL_SUCCESS && error != step->failure))
		return error;
	notify(program, user_data);
	return CL_SUCCESS;
}

cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
		      const char *options, program_notify *pfn_notify, void *user_data)
{
	const struct targets targets = { num_devices, device_list };
	struct step step = { .step = COMPILER_PROGRAM,
			     .text = options,
			     .failure = CL_BUILD_PROGRAM_FAILURE };
	USE_PROGRAM(entered, program);

	if (!pfn_notify && user_data)
		return CL_INVALID_VALUE;
	return answer(entered, build_all(entered, &targets, &step), &step, pfn_notify, user_data);
}

/** Finds the texts of headers, which are programs. */
static cl_int find_headers(struct step *step, const cl_program *programs, const char **names)
{
	for (cl_uint i = 0; i < step->header_count; i++) {
		USE_PROGRAM(header, programs[i]);

		if (!names[i])
			return CL_INVALID_VALUE;
		if (!header->source)
			return CL_INVALID_OPERATION;
		step->headers[i] = (struct header){ names[i], header->source };
	}
	return CL_SUCCESS;
}

cl_int clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
			const char *options, cl_uint num_input_headers,
			const cl_program *input_headers, const char **header_include_names,
			program_notify *pfn_notify, void *user_data)
{
	const struct targets targets = { num_devices, device_list };
	struct step step = { .step = COMPILER_OBJECT,
			     .text = options,
			     .header_count = num_input_headers,
			     .failure = CL_COMPILE_PROGRAM_FAILURE };
	USE_PROGRAM(entered, program);
	cl_int error;

	if ((!pfn_notify && user_data) || (num_input_headers == 0) != (input_headers == NULL) ||
	    (num_input_headers == 0) != (header_include_names == NULL))
		return CL_INVALID_VALUE;
	if (!entered->source && !entered->il)
		return CL_INVALID_OPERATION;
	step.headers = calloc(num_input_headers + 1u, sizeof(*step.headers));
	if (!step.headers)
		return CL_OUT_OF_HOST_MEMORY;
	error = find_headers(&step, input_headers, header_include_names);
	if (error == CL_SUCCESS)
		error = build_all(entered, &targets, &step);
	free(step.headers);
	return answer(entered, error, &step, pfn_notify, user_data);
}
