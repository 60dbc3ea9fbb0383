/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of SPIR-V. */
#include "host/opencl/il_program.h"

#include <stdlib.h>
#include <string.h>

#include "host/opencl/il.h"
#include "host/opencl/program.h"

static cl_int create(cl_context context, const void *il, size_t length, cl_program *made)
{
	cl_int error = program_make(context, made);

	if (error != CL_SUCCESS)
		return error;
	if (!il_available())
		error = CL_INVALID_OPERATION;
	else if (!il || !il_check(il, length))
		error = CL_INVALID_VALUE;
	else
		(*made)->il = malloc(length);
	if (error == CL_SUCCESS && !(*made)->il)
		error = CL_OUT_OF_HOST_MEMORY;
	if (error != CL_SUCCESS) {
		object_drop(*made);
		*made = NULL;
		return error;
	}
	memcpy((*made)->il, il, length);
	(*made)->il_bytes = length;
	return CL_SUCCESS;
}

cl_program clCreateProgramWithIL(cl_context context, const void *il, size_t length,
				 cl_int *errcode_ret)
{
	cl_program made = NULL;

	base_answer(errcode_ret, create(context, il, length, &made));
	return made;
}

cl_program clCreateProgramWithILKHR(cl_context context, const void *il, size_t length,
				    cl_int *errcode_ret)
{
	return clCreateProgramWithIL(context, il, length, errcode_ret);
}

/** Remembers a value: in place of the one that the constant had, or as one more. */
static cl_int set_constant(cl_program program, const char *text)
{
	const size_t name = strcspn(text, ":") + 1;
	char *copy = strdup(text);
	char **list;
	size_t i = 0;

	if (!copy)
		return CL_OUT_OF_HOST_MEMORY;
	while (i < program->constant_count && strncmp(program->constants[i], text, name) != 0)
		i++;
	if (i < program->constant_count) {
		free(program->constants[i]);
		program->constants[i] = copy;
		return CL_SUCCESS;
	}
	list = (char **)realloc((void *)program->constants, (i + 1) * sizeof(*list));
	if (!list) {
		free(copy);
		return CL_OUT_OF_HOST_MEMORY;
	}
	list[i] = copy;
	program->constants = list;
	program->constant_count++;
	return CL_SUCCESS;
}

cl_int clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size,
					  const void *spec_value)
{
	USE_PROGRAM(entered, program);
	char text[IL_TEXT];
	cl_int error;

	if (!il_available())
		return CL_INVALID_OPERATION;
	if (!entered->il)
		return CL_INVALID_PROGRAM;
	if (!spec_value)
		return CL_INVALID_VALUE;
	error = il_constant(entered->il, entered->il_bytes, spec_id, spec_size, spec_value, text);
	return error == CL_SUCCESS ? set_constant(entered, text) : error;
}
