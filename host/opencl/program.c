/* SPDX-License-Identifier: Apache-2.0 */
/* Programs as objects: made from sources or images, asked, freed. build.c builds them. */
#include "host/opencl/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/opencl/info.h"

#define ELF_TYPE 16u /* Place of the type in an ELF file; 1 is an object. */
#define HEAD_MOST \
	4096u /* Within so many bytes an object of OpenCL C, which is LLVM's text, names its target. */

struct build *program_build_of(cl_program program, cl_device_id device)
{
	for (cl_uint i = 0; i < program->count; i++) {
		if (program->builds[i].device == device)
			return &program->builds[i];
	}
	return NULL;
}

static void unload(struct build *build)
{
	enum gg_status status = GG_OK;

	if (build->module)
		status = gg_module_unload(build->module);
	(void)status; /* A device that is lost has nothing to unload. */
	build->module = NULL;
}

void program_clear(struct build *build)
{
	unload(build);
	free(build->options);
	free(build->log);
	free(build->image);
	build->options = NULL;
	build->log = NULL;
	build->image = NULL;
	build->image_bytes = 0;
	build->status = CL_BUILD_NONE;
	build->type = CL_PROGRAM_BINARY_TYPE_NONE;
}

void program_set_log(struct build *build, const char *text)
{
	free(build->log);
	build->log = strdup(text);
}

cl_int program_load(struct build *build)
{
	struct gg_failure failure;
	enum gg_status status = gg_module_load_bytes(build->device->context, build->image,
						     build->image_bytes, &build->module);

	if (status == GG_OK)
		return CL_SUCCESS;
	(void)gg_error_last(&failure);
	program_set_log(build, failure.message);
	return status == GG_ERR_NO_MEMORY || status == GG_ERR_DEVICE_LOST ? CL_OUT_OF_RESOURCES
									  : CL_INVALID_BINARY;
}

static void end_program(void *object)
{
	cl_program program = object;

	for (cl_uint i = 0; i < program->count; i++)
		program_clear(&program->builds[i]);
	free(program->source);
	free(program->il);
	for (size_t i = 0; i < program->constant_count; i++)
		free(program->constants[i]);
	free((void *)program->constants);
	object_drop(program->context);
	free(program);
}

static cl_program make(cl_context context)
{
	cl_program program = calloc(1, sizeof(*program));

	if (!program)
		return NULL;
	program->context = object_hold(context);
	program->count = context->device_count;
	for (cl_uint i = 0; i < program->count; i++) {
		program->builds[i].device = context->devices[i];
		program->builds[i].status = CL_BUILD_NONE;
	}
	object_begin(program, OBJECT_PROGRAM, end_program);
	return program;
}

cl_int program_make(cl_context handle, cl_program *made)
{
	USE_CONTEXT(context, handle);

	*made = make(context);
	return *made ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/** Puts the strings of a source together. A length of 0 is that up to the string's 0. */
static cl_int join(cl_uint count, const char **strings, const size_t *lengths, char **source)
{
	size_t total = 0;
	char *to;

	for (cl_uint i = 0; i < count; i++) {
		if (!strings[i])
			return CL_INVALID_VALUE;
		total += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
	}
	to = *source = malloc(total + 1);
	if (!to)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; i < count; i++) {
		size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);

		memcpy(to, strings[i], length);
		to += length;
	}
	*to = '\0';
	return CL_SUCCESS;
}

static cl_int create_of_source(cl_context handle, cl_uint count, const char **strings,
			       const size_t *lengths, cl_program *made)
{
	USE_CONTEXT(context, handle);
	char *source = NULL;
	cl_int error;

	if (count == 0 || !strings)
		return CL_INVALID_VALUE;
	error = join(count, strings, lengths, &source);
	if (error != CL_SUCCESS)
		return error;
	*made = make(context);
	if (!*made) {
		free(source);
		return CL_OUT_OF_HOST_MEMORY;
	}
	(*made)->source = source;
	return CL_SUCCESS;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
				     const size_t *lengths, cl_int *errcode_ret)
{
	cl_program made = NULL;

	base_answer(errcode_ret, create_of_source(context, count, strings, lengths, &made));
	return made;
}

/** Whether a text begins with a word, or ends with it. */
static bool begins(const unsigned char *text, size_t bytes, const char *word)
{
	return bytes >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

static bool ends(const unsigned char *text, size_t bytes, const char *word)
{
	return bytes >= strlen(word) &&
	       memcmp(text + bytes - strlen(word), word, strlen(word)) == 0;
}

/** Whether an object of OpenCL C is for addresses of the device's width. */
static bool fits_device(const struct build *build, const unsigned char *text, size_t bytes)
{
	char head[HEAD_MOST + 1], triple[64];
	size_t many = bytes < HEAD_MOST ? bytes : HEAD_MOST;

	memcpy(head, text, many);
	head[many] = '\0';
	(void)snprintf(triple, sizeof(triple), "target triple = \"riscv%u-",
		       device_xlen(build->device));
	return strstr(head, triple) != NULL;
}

/** What an image is: an ELF file, or what ganger-cc makes objects and libraries of OpenCL C as (separate.py there).
 * @return CL_PROGRAM_BINARY_TYPE_NONE: nothing of that, or for another device. */
static cl_program_binary_type type_of(const struct build *build, const unsigned char *image,
				      size_t bytes)
{
	if (bytes > ELF_TYPE && begins(image, bytes, "\177ELF"))
		return image[ELF_TYPE] == 1 ? CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT
					    : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
	if (!begins(image, bytes, "; ModuleID") || !fits_device(build, image, bytes))
		return CL_PROGRAM_BINARY_TYPE_NONE;
	return ends(image, bytes, "\n; library of ganger-cc\n")
		       ? CL_PROGRAM_BINARY_TYPE_LIBRARY
		       : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
}

/** Takes one image. @return CL_INVALID_VALUE: there is none; CL_INVALID_BINARY: it is none that we make. */
static cl_int take_image(struct build *build, const unsigned char *image, size_t bytes)
{
	if (!image || bytes == 0)
		return CL_INVALID_VALUE;
	build->type = type_of(build, image, bytes);
	if (build->type == CL_PROGRAM_BINARY_TYPE_NONE)
		return CL_INVALID_BINARY;
	build->image = malloc(bytes);
	if (!build->image)
		return CL_OUT_OF_HOST_MEMORY;
	memcpy(build->image, image, bytes);
	build->image_bytes = bytes;
	return CL_SUCCESS;
}

static cl_int take_images(cl_program program, cl_uint count, const cl_device_id *devices,
			  const size_t *lengths, const unsigned char **images, cl_int *image_status)
{
	cl_int result = CL_SUCCESS;

	program->count = 0;
	for (cl_uint i = 0; i < count; i++) {
		struct build *build = &program->builds[program->count];
		cl_int error = CL_INVALID_DEVICE;

		if (context_has(program->context, devices[i]) &&
		    !program_build_of(program, devices[i])) {
			build->device = devices[i];
			build->status = CL_BUILD_NONE;
			program->count++;
			error = take_image(build, images[i], lengths[i]);
			if (error == CL_SUCCESS && build->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
				error = program_load(build);
			unload(build); /* It is loaded when it is built. */
		}
		if (image_status)
			image_status[i] = error;
		if (result == CL_SUCCESS)
			result = error;
	}
	return result;
}

static cl_int create_of_images(cl_context handle, cl_uint count, const cl_device_id *devices,
			       const size_t *lengths, const unsigned char **images,
			       cl_int *image_status, cl_program *made)
{
	USE_CONTEXT(context, handle);
	cl_program program;
	cl_int error;

	if (count == 0 || !devices || !lengths || !images)
		return CL_INVALID_VALUE;
	program = make(context);
	if (!program)
		return CL_OUT_OF_HOST_MEMORY;
	error = take_images(program, count, devices, lengths, images, image_status);
	if (error != CL_SUCCESS) {
		object_drop(program);
		return error;
	}
	*made = program;
	return CL_SUCCESS;
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
				     const size_t *lengths, const unsigned char **binaries,
				     cl_int *binary_status, cl_int *errcode_ret)
{
	cl_program made = NULL;

	base_answer(errcode_ret, create_of_images(context, count, devices, lengths, binaries,
						  binary_status, &made));
	return made;
}

cl_int clRetainProgram(cl_program program)
{
	return object_retain(OBJECT_PROGRAM, program, CL_INVALID_PROGRAM);
}

cl_int clReleaseProgram(cl_program program)
{
	return object_release(OBJECT_PROGRAM, program, CL_INVALID_PROGRAM);
}

/* ---- Questions -------------------------------------------------------------------------- */

static cl_int answer_devices(cl_program program, const struct answer *answer)
{
	cl_device_id devices[DEVICES_MAX];

	for (cl_uint i = 0; i < program->count; i++)
		devices[i] = program->builds[i].device;
	return info_bytes(answer, devices, program->count * sizeof(void *));
}

static cl_int answer_sizes(cl_program program, const struct answer *answer)
{
	size_t sizes[DEVICES_MAX];

	for (cl_uint i = 0; i < program->count; i++)
		sizes[i] = program->builds[i].image_bytes;
	return info_bytes(answer, sizes, program->count * sizeof(sizes[0]));
}

/** The answer is a list of pointers to where the images go; NULL: that one is not wanted. */
static cl_int answer_images(cl_program program, const struct answer *answer)
{
	unsigned char *const *places = answer->value;
	const struct answer size_only = { 0, NULL, answer->size_ret };

	if (places && answer->size < program->count * sizeof(void *))
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; places && i < program->count; i++) {
		if (places[i] && program->builds[i].image)
			memcpy(places[i], program->builds[i].image, program->builds[i].image_bytes);
	}
	return info_bytes(&size_only, NULL, program->count * sizeof(void *));
}

/** A loaded module, of any device; NULL: there is none. */
static struct gg_module *any_module(cl_program program)
{
	for (cl_uint i = 0; i < program->count; i++) {
		if (program->builds[i].module)
			return program->builds[i].module;
	}
	return NULL;
}

/** Number of kernels, and, into `names` if it is not NULL, their names with semicolons. */
static size_t list_kernels(struct gg_module *module, char *names, size_t *length)
{
	struct gg_kernel_info *info = malloc(sizeof(*info));
	size_t count = 0;

	*length = 0;
	while (info && gg_module_kernel(module, (uint32_t)count, info) == GG_OK) {
		size_t bytes = strlen(info->name);

		if (count > 0 && names)
			names[*length] = ';';
		*length += count > 0;
		if (names)
			memcpy(names + *length, info->name, bytes);
		*length += bytes;
		count++;
	}
	free(info);
	return count;
}

static cl_int answer_kernels(cl_program program, cl_program_info name, const struct answer *answer)
{
	struct gg_module *module = any_module(program);
	size_t length;
	char *names;
	cl_int error;

	if (!module)
		return CL_INVALID_PROGRAM_EXECUTABLE;
	if (name == CL_PROGRAM_NUM_KERNELS)
		return INFO_VALUE(answer, size_t, list_kernels(module, NULL, &length));
	(void)list_kernels(module, NULL, &length);
	names = calloc(1, length + 1);
	if (!names)
		return CL_OUT_OF_HOST_MEMORY;
	(void)list_kernels(module, names, &length);
	error = info_text(answer, names);
	free(names);
	return error;
}

cl_int clGetProgramInfo(cl_program program, cl_program_info name, size_t size, void *value,
			size_t *size_ret)
{
	const struct answer answer = { size, value, size_ret };
	USE_PROGRAM(entered, program);

	switch (name) {
	case CL_PROGRAM_REFERENCE_COUNT:
		return INFO_VALUE(&answer, cl_uint, object_handles(entered));
	case CL_PROGRAM_CONTEXT:
		return INFO_VALUE(&answer, cl_context, entered->context);
	case CL_PROGRAM_NUM_DEVICES:
		return INFO_VALUE(&answer, cl_uint, entered->count);
	case CL_PROGRAM_DEVICES:
		return answer_devices(entered, &answer);
	case CL_PROGRAM_SOURCE:
		return info_text(&answer, entered->source ? entered->source : "");
	case CL_PROGRAM_IL:
		return info_bytes(&answer, entered->il, entered->il_bytes);
	case CL_PROGRAM_BINARY_SIZES:
		return answer_sizes(entered, &answer);
	case CL_PROGRAM_BINARIES:
		return answer_images(entered, &answer);
	case CL_PROGRAM_NUM_KERNELS:
	case CL_PROGRAM_KERNEL_NAMES:
		return answer_kernels(entered, name, &answer);
	case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
	case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
		return INFO_VALUE(&answer, cl_bool, CL_FALSE);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name,
			     size_t size, void *value, size_t *size_ret)
{
	const struct answer answer = { size, value, size_ret };
	USE_PROGRAM(entered, program);
	USE_DEVICE(here, device);
	const struct build *build = program_build_of(entered, here);

	if (!build)
		return CL_INVALID_DEVICE;
	switch (name) {
	case CL_PROGRAM_BUILD_STATUS:
		return INFO_VALUE(&answer, cl_build_status, build->status);
	case CL_PROGRAM_BUILD_OPTIONS:
		return info_text(&answer, build->options ? build->options : "");
	case CL_PROGRAM_BUILD_LOG:
		return info_text(&answer, build->log ? build->log : "");
	case CL_PROGRAM_BINARY_TYPE:
		return INFO_VALUE(&answer, cl_program_binary_type, build->type);
	case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
		return INFO_VALUE(&answer, size_t, 0);
	default:
		return CL_INVALID_VALUE;
	}
}
