/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as objects: made, copied, given their arguments. kernel_info.c answers questions. */
#include "host/opencl/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "host/common/local.h"

#define STACK_ALIGN 16u
#define STACK_LEAST 2048u /* When nothing is known of a kernel's stack. */
#define ITEMS_MOST  1024u

cl_int kernel_find(cl_kernel kernel, cl_device_id device, struct gg_module **module,
		   uint32_t *index)
{
	const struct build *build = program_build_of(kernel->program, device);

	if (!build || !build->module ||
	    gg_kernel_find(build->module, kernel->info.name, index) != GG_OK)
		return CL_INVALID_PROGRAM_EXECUTABLE;
	*module = build->module;
	return CL_SUCCESS;
}

size_t kernel_most_items(cl_kernel kernel, cl_device_id device)
{
	uint32_t stack = kernel->info.stack_bytes ? kernel->info.stack_bytes : STACK_LEAST;
	uint32_t room = device->info.sm_private_bytes;
	uint32_t most;

	if (kernel->info.flags & GG_KERNEL_BLOCK_FIXED)
		return (size_t)kernel->info.block[0] * kernel->info.block[1] *
		       kernel->info.block[2];
	if (!(kernel->info.flags & GG_KERNEL_BARRIER))
		return ITEMS_MOST; /* All of a group take turns on one stack. */
	most = room / ((stack + STACK_ALIGN - 1) / STACK_ALIGN * STACK_ALIGN);
	return most < 1 ? 1 : most < ITEMS_MOST ? most : ITEMS_MOST;
}

uint64_t kernel_local_bytes(cl_kernel kernel)
{
	uint64_t bytes = kernel->info.shared_bytes;

	for (uint32_t i = 0; i < kernel->info.parameters; i++) {
		if (kernel->parameters[i].kind == GG_ARGUMENT_LOCAL) {
			bytes = local_start(bytes, kernel->arguments[i].bytes) +
				kernel->arguments[i].bytes;
		}
	}
	return bytes;
}

/* ---- Making and freeing ----------------------------------------------------------------- */

static void end_kernel(void *object)
{
	cl_kernel kernel = object;

	for (uint32_t i = 0; kernel->arguments && i < kernel->info.parameters; i++)
		free(kernel->arguments[i].value);
	free(kernel->arguments);
	free(kernel->parameters);
	(void)__atomic_fetch_sub(&kernel->program->kernels, 1, __ATOMIC_RELEASE);
	object_drop(kernel->program);
	free(kernel);
}

/** Asks for all parameters. */
static bool read_parameters(cl_kernel kernel, struct gg_module *module, uint32_t index)
{
	uint32_t count = kernel->info.parameters;

	kernel->arguments = calloc(count + 1, sizeof(*kernel->arguments));
	kernel->parameters = calloc(count + 1, sizeof(*kernel->parameters));
	if (!kernel->arguments || !kernel->parameters)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (gg_module_parameter(module, index, i, &kernel->parameters[i]) != GG_OK)
			return false;
	}
	return true;
}

static cl_kernel make(cl_program program, struct gg_module *module, uint32_t index)
{
	cl_kernel kernel = calloc(1, sizeof(*kernel));

	if (!kernel)
		return NULL;
	if (gg_module_kernel(module, index, &kernel->info) != GG_OK ||
	    !read_parameters(kernel, module, index)) {
		free(kernel->parameters);
		free(kernel->arguments);
		free(kernel);
		return NULL;
	}
	kernel->program = object_hold(program);
	(void)__atomic_fetch_add(&program->kernels, 1, __ATOMIC_ACQUIRE);
	object_begin(kernel, OBJECT_KERNEL, end_kernel);
	return kernel;
}

/** The first module of a program. */
static cl_int first_module(cl_program program, struct gg_module **module)
{
	for (cl_uint i = 0; i < program->count; i++) {
		*module = program->builds[i].module;
		if (*module)
			return CL_SUCCESS;
	}
	return CL_INVALID_PROGRAM_EXECUTABLE;
}

static cl_int create(cl_program handle, const char *name, cl_kernel *made)
{
	USE_PROGRAM(program, handle);
	struct gg_module *module;
	uint32_t index;
	cl_int error;

	if (!name)
		return CL_INVALID_VALUE;
	error = first_module(program, &module);
	if (error != CL_SUCCESS)
		return error;
	if (gg_kernel_find(module, name, &index) != GG_OK)
		return CL_INVALID_KERNEL_NAME;
	*made = make(program, module, index);
	return *made ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *errcode_ret)
{
	cl_kernel made = NULL;

	base_answer(errcode_ret, create(program, name, &made));
	return made;
}

/** Makes all kernels of a module. After an error there are none. */
static cl_int create_all(cl_program program, struct gg_module *module, uint32_t count,
			 cl_kernel *kernels)
{
	uint32_t made = 0;

	while (made < count && (kernels[made] = make(program, module, made)) != NULL)
		made++;
	if (made == count)
		return CL_SUCCESS;
	while (made > 0)
		object_drop(kernels[--made]);
	return CL_OUT_OF_HOST_MEMORY;
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels,
				cl_uint *count_ret)
{
	USE_PROGRAM(entered, program);
	struct gg_module *module;
	struct gg_elf elf;
	uint64_t base, code;
	cl_int error = first_module(entered, &module);

	if (error != CL_SUCCESS)
		return error;
	if (gg_module_info(module, &elf, &base, &code) != GG_OK)
		return CL_OUT_OF_RESOURCES;
	if (kernels && room < elf.kernels)
		return CL_INVALID_VALUE;
	if (kernels)
		error = create_all(entered, module, elf.kernels, kernels);
	if (error == CL_SUCCESS && count_ret)
		*count_ret = elf.kernels;
	return error;
}

/** Copies the arguments that are set. */
static bool copy_arguments(cl_kernel from, cl_kernel to)
{
	for (uint32_t i = 0; i < from->info.parameters; i++) {
		const struct argument *source = &from->arguments[i];

		to->arguments[i] = *source;
		if (source->value) {
			to->arguments[i].value = malloc(source->bytes);
			if (!to->arguments[i].value)
				return false;
			memcpy(to->arguments[i].value, source->value, source->bytes);
		}
	}
	return true;
}

cl_int kernel_copy(cl_kernel kernel, cl_kernel *made)
{
	cl_kernel copy = NULL;
	cl_int error = create((cl_program)kernel->program, kernel->info.name, &copy);

	if (error != CL_SUCCESS)
		return error;
	if (!copy_arguments(kernel, copy)) {
		object_drop(copy);
		return CL_OUT_OF_HOST_MEMORY;
	}
	*made = copy;
	return CL_SUCCESS;
}

static cl_int create_copy(cl_kernel handle, cl_kernel *made)
{
	USE_KERNEL(kernel, handle);

	return kernel_copy(kernel, made);
}

cl_kernel clCloneKernel(cl_kernel kernel, cl_int *errcode_ret)
{
	cl_kernel made = NULL;

	base_answer(errcode_ret, create_copy(kernel, &made));
	return made;
}

cl_int clRetainKernel(cl_kernel kernel)
{
	return object_retain(OBJECT_KERNEL, kernel, CL_INVALID_KERNEL);
}

cl_int clReleaseKernel(cl_kernel kernel)
{
	return object_release(OBJECT_KERNEL, kernel, CL_INVALID_KERNEL);
}

/* ---- Arguments -------------------------------------------------------------------------- */

static cl_int set_local(struct argument *argument, size_t size, const void *value)
{
	if (value)
		return CL_INVALID_ARG_VALUE;
	if (size == 0 || size > UINT32_MAX)
		return CL_INVALID_ARG_SIZE;
	argument->bytes = (uint32_t)size;
	return CL_SUCCESS;
}

/** A buffer: `value` points to its handle, or is NULL, or the handle is. */
static cl_int set_buffer(cl_kernel kernel, struct argument *argument, size_t size,
			 const void *value)
{
	cl_mem handle = NULL;

	if (size != sizeof(void *))
		return CL_INVALID_ARG_SIZE;
	if (value)
		memcpy((void *)&handle, value, sizeof(void *));
	if (handle) {
		USE(cl_mem, memory, OBJECT_MEMORY, handle, CL_INVALID_ARG_VALUE);

		if (memory->context != kernel->program->context)
			return CL_INVALID_ARG_VALUE;
		argument->serial = memory->object.serial;
	}
	argument->memory = handle;
	argument->address = 0;
	argument->bytes = sizeof(uint64_t);
	return CL_SUCCESS;
}

static cl_int set_value(struct argument *argument, const struct gg_parameter *parameter,
			size_t size, const void *value)
{
	if (!value)
		return CL_INVALID_ARG_VALUE;
	if (size != parameter->bytes)
		return CL_INVALID_ARG_SIZE;
	if (!argument->value)
		argument->value = malloc(size);
	if (!argument->value)
		return CL_OUT_OF_HOST_MEMORY;
	memcpy(argument->value, value, size);
	argument->bytes = (uint32_t)size;
	return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	USE_KERNEL(entered, kernel);
	const struct gg_parameter *parameter;
	struct argument *argument;
	cl_int error;

	if (index >= entered->info.parameters)
		return CL_INVALID_ARG_INDEX;
	parameter = &entered->parameters[index];
	argument = &entered->arguments[index];
	if (parameter->kind == GG_ARGUMENT_LOCAL)
		error = set_local(argument, size, value);
	else if (parameter->kind == GG_ARGUMENT_BUFFER)
		error = set_buffer(entered, argument, size, value);
	else
		error = set_value(argument, parameter, size, value);
	if (error == CL_SUCCESS)
		argument->set = true;
	return error;
}
