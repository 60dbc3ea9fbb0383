/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about kernels. */
#include "host/opencl/info.h"
#include "host/opencl/kernel.h"

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t size, void *value,
		       size_t *size_ret)
{
	const struct answer answer = { size, value, size_ret };
	USE_KERNEL(entered, kernel);

	switch (name) {
	case CL_KERNEL_FUNCTION_NAME:
		return info_text(&answer, entered->info.name);
	case CL_KERNEL_NUM_ARGS:
		return INFO_VALUE(&answer, cl_uint, entered->info.parameters);
	case CL_KERNEL_REFERENCE_COUNT:
		return INFO_VALUE(&answer, cl_uint, object_handles(entered));
	case CL_KERNEL_CONTEXT:
		return INFO_VALUE(&answer, cl_context, entered->program->context);
	case CL_KERNEL_PROGRAM:
		return INFO_VALUE(&answer, cl_program, entered->program);
	case CL_KERNEL_ATTRIBUTES:
		return info_text(&answer, entered->info.attributes);
	default:
		return CL_INVALID_VALUE;
	}
}

static cl_uint address_qualifier(const struct gg_parameter *parameter)
{
	switch (parameter->space) {
	case GG_SPACE_GLOBAL:
		return CL_KERNEL_ARG_ADDRESS_GLOBAL;
	case GG_SPACE_CONSTANT:
		return CL_KERNEL_ARG_ADDRESS_CONSTANT;
	case GG_SPACE_LOCAL:
		return CL_KERNEL_ARG_ADDRESS_LOCAL;
	default:
		return CL_KERNEL_ARG_ADDRESS_PRIVATE;
	}
}

static cl_kernel_arg_type_qualifier type_qualifier(const struct gg_parameter *parameter)
{
	const uint32_t found = parameter->qualifiers;
	cl_kernel_arg_type_qualifier bits = CL_KERNEL_ARG_TYPE_NONE;

	if (found & GG_CONST)
		bits |= CL_KERNEL_ARG_TYPE_CONST;
	if (found & GG_VOLATILE)
		bits |= CL_KERNEL_ARG_TYPE_VOLATILE;
	if (found & GG_RESTRICT)
		bits |= CL_KERNEL_ARG_TYPE_RESTRICT;
	return bits;
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t size,
			  void *value, size_t *size_ret)
{
	const struct answer answer = { size, value, size_ret };
	USE_KERNEL(entered, kernel);
	const struct gg_parameter *parameter;

	if (index >= entered->info.parameters)
		return CL_INVALID_ARG_INDEX;
	parameter = &entered->parameters[index];
	if (parameter->cl_type[0] == '\0')
		return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
	switch (name) {
	case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
		return INFO_VALUE(&answer, cl_kernel_arg_address_qualifier,
				  address_qualifier(parameter));
	case CL_KERNEL_ARG_ACCESS_QUALIFIER:
		return INFO_VALUE(&answer, cl_kernel_arg_access_qualifier,
				  CL_KERNEL_ARG_ACCESS_NONE);
	case CL_KERNEL_ARG_TYPE_NAME:
		return info_text(&answer, parameter->cl_type);
	case CL_KERNEL_ARG_TYPE_QUALIFIER:
		return INFO_VALUE(&answer, cl_kernel_arg_type_qualifier, type_qualifier(parameter));
	case CL_KERNEL_ARG_NAME:
		return info_text(&answer, parameter->name);
	default:
		return CL_INVALID_VALUE;
	}
}

/** The device that a question is about: without one, the program's only one. */
static cl_int pick_device(cl_kernel kernel, cl_device_id handle, cl_device_id *device)
{
	if (!handle) {
		*device = kernel->program->builds[0].device;
		return kernel->program->count == 1 ? CL_SUCCESS : CL_INVALID_DEVICE;
	}
	*device = handle;
	return program_build_of(kernel->program, handle) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id handle,
				cl_kernel_work_group_info name, size_t size, void *value,
				size_t *size_ret)
{
	const struct answer answer = { size, value, size_ret };
	USE_KERNEL(entered, kernel);
	cl_device_id device;
	size_t block[3] = { 0, 0, 0 };
	cl_int error = pick_device(entered, handle, &device);

	if (error != CL_SUCCESS)
		return error;
	for (size_t i = 0; i < 3 && (entered->info.flags & GG_KERNEL_BLOCK_FIXED); i++)
		block[i] = entered->info.block[i];
	switch (name) {
	case CL_KERNEL_WORK_GROUP_SIZE:
		return INFO_VALUE(&answer, size_t, kernel_most_items(entered, device));
	case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
		return info_bytes(&answer, block, sizeof(block));
	case CL_KERNEL_LOCAL_MEM_SIZE:
		return INFO_VALUE(&answer, cl_ulong, kernel_local_bytes(entered));
	case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
		return INFO_VALUE(&answer, size_t, 1);
	case CL_KERNEL_PRIVATE_MEM_SIZE:
		return INFO_VALUE(&answer, cl_ulong, entered->info.stack_bytes);
	default: /* CL_KERNEL_GLOBAL_WORK_SIZE is for kernels that are built in. */
		return CL_INVALID_VALUE;
	}
}

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
			       size_t input_size, const void *input, size_t size, void *value,
			       size_t *size_ret)
{
	USE_KERNEL(entered, kernel);

	(void)device;
	(void)name;
	(void)input_size;
	(void)input;
	(void)size;
	(void)value;
	(void)size_ret;
	return CL_INVALID_OPERATION; /* There are no sub-groups. */
}
