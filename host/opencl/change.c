/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of a command buffer that are changed between its replays (cl_khr_command_buffer_mutable_dispatch). The changed
 * call takes the place of the old one, and the graph is made anew: all of it, or nothing. */
#include <stdlib.h>
#include <string.h>

#include "host/opencl/info.h"
#include "host/opencl/passes.h"

/** A change: `call` and `local` are those of the step until it is made, and then the old ones. */
struct change {
	struct step *step;
	struct call call;
	bool local;
};

/* ---- What a kernel is changed to ---------------------------------------------------------- */

/** The sizes as the program gave them. */
static void read_sizes(const struct shape *shape, size_t offset[3], size_t global[3],
		       size_t local[3])
{
	for (size_t i = 0; i < 3; i++) {
		const size_t items = shape->items[i], edge = shape->edge[i];

		offset[i] = shape->offset[i];
		local[i] = items;
		global[i] = shape->groups[i] * items - (edge ? items - edge : 0);
	}
}

static cl_int change_shape(const cl_mutable_dispatch_config_khr *config, struct change *change,
			   cl_kernel kernel, cl_device_id device, struct shape *shape)
{
	const struct shape *old = &change->step->call.shape;
	const size_t bytes = old->dimensions * sizeof(size_t);
	size_t offset[3], global[3], local[3];

	*shape = *old;
	change->local = change->step->changes.local || config->local_work_size != NULL;
	if (!config->global_work_offset && !config->global_work_size && !config->local_work_size)
		return CL_SUCCESS;
	if (config->work_dim != old->dimensions)
		return CL_INVALID_VALUE;
	read_sizes(old, offset, global, local);
	if (config->global_work_offset)
		memcpy(offset, config->global_work_offset, bytes);
	if (config->global_work_size)
		memcpy(global, config->global_work_size, bytes);
	if (config->local_work_size)
		memcpy(local, config->local_work_size, bytes);
	return shape_make(kernel, device, old->dimensions, offset, global,
			  change->local ? local : NULL, shape);
}

static cl_int change_arguments(const cl_mutable_dispatch_config_khr *config, cl_kernel kernel)
{
	cl_int error = CL_SUCCESS;

	for (cl_uint i = 0; error == CL_SUCCESS && i < config->num_args; i++)
		error = clSetKernelArg(kernel, config->arg_list[i].arg_index,
				       config->arg_list[i].arg_size, config->arg_list[i].arg_value);
	for (cl_uint i = 0; error == CL_SUCCESS && i < config->num_svm_args; i++)
		error = clSetKernelArgSVMPointer(kernel, config->arg_svm_list[i].arg_index,
						 config->arg_svm_list[i].arg_value);
	for (cl_uint i = 0; error == CL_SUCCESS && i < config->num_exec_infos; i++)
		error = clSetKernelExecInfo(kernel, config->exec_info_list[i].param_name,
					    config->exec_info_list[i].param_value_size,
					    config->exec_info_list[i].param_value);
	return error;
}

/** What a configuration changes. */
static cl_mutable_dispatch_fields_khr fields_of(const cl_mutable_dispatch_config_khr *config)
{
	return (config->global_work_offset ? CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR : 0) |
	       (config->global_work_size ? CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR : 0) |
	       (config->local_work_size ? CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR : 0) |
	       (config->arg_list || config->arg_svm_list ? CL_MUTABLE_DISPATCH_ARGUMENTS_KHR : 0) |
	       (config->exec_info_list ? CL_MUTABLE_DISPATCH_EXEC_INFO_KHR : 0);
}

static bool is_good(const cl_mutable_dispatch_config_khr *config)
{
	return config->type == CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR && !config->next &&
	       (config->num_args == 0) == (config->arg_list == NULL) &&
	       (config->num_svm_args == 0) == (config->arg_svm_list == NULL) &&
	       (config->num_exec_infos == 0) == (config->exec_info_list == NULL);
}

/** Puts the new call into the step's place, or the old one back. */
static void exchange(struct change *change)
{
	struct step *step = change->step;
	const struct call call = step->call;
	const bool local = step->changes.local;

	step->call = change->call;
	step->changes.local = change->local;
	change->call = call;
	change->local = local;
}

/** Makes one change, which is all zeros before. */
static cl_int make(cl_command_buffer_khr recording, const cl_mutable_dispatch_config_khr *config,
		   struct change *change)
{
	struct step *step = object_enter(OBJECT_COMMAND, config->command);
	const bool ours = step && step->changes.recording == recording;
	cl_kernel kernel = NULL;
	struct shape shape;
	cl_int error;

	object_drop(step); /* One of ours the recording has, too. */
	if (!is_good(config))
		return CL_INVALID_VALUE;
	if (!ours)
		return CL_INVALID_MUTABLE_COMMAND_KHR;
	if (fields_of(config) & ~step->changes.fields)
		return CL_INVALID_OPERATION;
	change->step = step;
	error = kernel_copy(step->call.kernel, &kernel);
	if (error == CL_SUCCESS)
		error = change_arguments(config, kernel);
	if (error == CL_SUCCESS)
		error = change_shape(config, change, kernel, recording->queue->device, &shape);
	if (error == CL_SUCCESS) {
		error = call_begin(&change->call, kernel, recording->queue->device, &shape);
		if (error == CL_SUCCESS)
			exchange(change);
		else
			call_end(&change->call);
	}
	object_drop(kernel);
	return error;
}

/* ---- Changes ------------------------------------------------------------------------------ */

/** The lock is held. */
static cl_int make_all(cl_command_buffer_khr recording, const cl_mutable_base_config_khr *config)
{
	struct change *changes;
	cl_int error = CL_SUCCESS;
	cl_uint made = 0;

	if (!(recording->flags & CL_COMMAND_BUFFER_MUTABLE_KHR) || !recording->final ||
	    recording_is_pending(recording))
		return CL_INVALID_OPERATION;
	changes = calloc(config->num_mutable_dispatch, sizeof(*changes));
	if (!changes)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; error == CL_SUCCESS && i < config->num_mutable_dispatch; i++) {
		error = make(recording, &config->mutable_dispatch_list[i], &changes[i]);
		made += error == CL_SUCCESS;
	}
	if (error == CL_SUCCESS)
		error = passes_keep_again(recording);
	while (made > 0) {
		struct change *change = &changes[--made];

		if (error != CL_SUCCESS)
			exchange(change);
		call_end(&change->call);
	}
	free(changes);
	return error;
}

cl_int clUpdateMutableCommandsKHR(cl_command_buffer_khr recording,
				  const cl_mutable_base_config_khr *config)
{
	USE_RECORDING(entered, recording);
	cl_int error;

	if (!config || config->type != CL_STRUCTURE_TYPE_MUTABLE_BASE_CONFIG_KHR || config->next ||
	    config->num_mutable_dispatch == 0 || !config->mutable_dispatch_list)
		return CL_INVALID_VALUE;
	(void)pthread_mutex_lock(&entered->lock);
	error = make_all(entered, config);
	(void)pthread_mutex_unlock(&entered->lock);
	return error;
}

/* ---- Questions ---------------------------------------------------------------------------- */

static cl_int answer_locked(const struct step *step, cl_mutable_command_info_khr name,
			    const struct answer *answer)
{
	const struct changes *changes = &step->changes;
	const cl_command_buffer_properties_khr list[] = { CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
							  changes->fields, 0 };
	const size_t bytes = step->call.shape.dimensions * sizeof(size_t);
	size_t offset[3], global[3], local[3];

	read_sizes(&step->call.shape, offset, global, local);
	if (!changes->local)
		memset(local, 0, sizeof(local));
	switch (name) {
	case CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR:
		return INFO_VALUE(answer, cl_command_queue, changes->recording->queue);
	case CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR:
		return INFO_VALUE(answer, cl_command_buffer_khr, changes->recording);
	case CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR:
		return INFO_VALUE(answer, cl_command_type, CL_COMMAND_NDRANGE_KERNEL);
	case CL_MUTABLE_DISPATCH_PROPERTIES_ARRAY_KHR:
		return info_bytes(answer, list, changes->listed ? sizeof(list) : 0);
	case CL_MUTABLE_DISPATCH_KERNEL_KHR:
		return INFO_VALUE(answer, cl_kernel, changes->kernel);
	case CL_MUTABLE_DISPATCH_DIMENSIONS_KHR:
		return INFO_VALUE(answer, cl_uint, step->call.shape.dimensions);
	case CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR:
		return info_bytes(answer, offset, bytes);
	case CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR:
		return info_bytes(answer, global, bytes);
	case CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR:
		return info_bytes(answer, local, bytes);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int clGetMutableCommandInfoKHR(cl_mutable_command_khr command, cl_mutable_command_info_khr name,
				  size_t size, void *value, size_t *size_ret)
{
	const struct answer answer = { size, value, size_ret };
	USE(struct step *, step, OBJECT_COMMAND, command, CL_INVALID_MUTABLE_COMMAND_KHR);
	__attribute__((cleanup(object_leave))) cl_command_buffer_khr recording =
		object_enter_again(OBJECT_RECORDING, step->changes.recording, step->changes.serial);
	cl_int error;

	if (!recording)
		return CL_INVALID_MUTABLE_COMMAND_KHR;
	(void)pthread_mutex_lock(&recording->lock);
	error = answer_locked(step, name, &answer);
	(void)pthread_mutex_unlock(&recording->lock);
	return error;
}
