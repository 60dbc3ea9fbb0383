/* SPDX-License-Identifier: Apache-2.0 */
/* What the platform does not have: images, samplers, pipes, built-in
 * kernels. A program that asks first is told so; one that does not gets the standard's code for it. */
#include "host/opencl/object.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

/** The answer of calls that would make something: the context is looked at first. */
static cl_int refuse_to_make(cl_context context)
{
	USE_CONTEXT(entered, context);

	return CL_INVALID_OPERATION;
}

/** The answer of commands: the queue is looked at first. */
static cl_int refuse_command(cl_command_queue queue, cl_int error)
{
	USE_QUEUE(entered, queue);

	return error;
}

/** The answer of questions about a buffer that is no image or pipe. */
static cl_int refuse_question(cl_mem memory)
{
	(void)memory;
	return CL_INVALID_MEM_OBJECT;
}

/* ---- Images and samplers ---------------------------------------------------------------- */

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
		       size_t image_width, size_t image_height, size_t image_row_pitch,
		       void *host_ptr, cl_int *errcode_ret)
{
	base_answer(errcode_ret, refuse_to_make(context));
	return NULL;
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
		       size_t image_width, size_t image_height, size_t image_depth,
		       size_t image_row_pitch, size_t image_slice_pitch, void *host_ptr,
		       cl_int *errcode_ret)
{
	base_answer(errcode_ret, refuse_to_make(context));
	return NULL;
}

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
		     const cl_image_desc *image_desc, void *host_ptr, cl_int *errcode_ret)
{
	base_answer(errcode_ret, refuse_to_make(context));
	return NULL;
}

cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
				   cl_mem_flags flags, const cl_image_format *image_format,
				   const cl_image_desc *image_desc, void *host_ptr,
				   cl_int *errcode_ret)
{
	base_answer(errcode_ret, refuse_to_make(context));
	return NULL;
}

cl_sampler clCreateSampler(cl_context context, cl_bool normalized_coords,
			   cl_addressing_mode addressing_mode, cl_filter_mode filter_mode,
			   cl_int *errcode_ret)
{
	base_answer(errcode_ret, refuse_to_make(context));
	return NULL;
}

cl_sampler clCreateSamplerWithProperties(cl_context context,
					 const cl_sampler_properties *sampler_properties,
					 cl_int *errcode_ret)
{
	base_answer(errcode_ret, refuse_to_make(context));
	return NULL;
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
				  cl_mem_object_type image_type, cl_uint num_entries,
				  cl_image_format *image_formats, cl_uint *num_image_formats)
{
	USE_CONTEXT(entered, context);

	if (num_entries == 0 && image_formats)
		return CL_INVALID_VALUE;
	if (num_image_formats)
		*num_image_formats = 0;
	return CL_SUCCESS;
}

cl_int clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
		      void *param_value, size_t *param_value_size_ret)
{
	return refuse_question(image);
}

cl_int clRetainSampler(cl_sampler sampler)
{
	return CL_INVALID_SAMPLER;
}

cl_int clReleaseSampler(cl_sampler sampler)
{
	return CL_INVALID_SAMPLER;
}

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size,
			void *param_value, size_t *param_value_size_ret)
{
	return CL_INVALID_SAMPLER;
}

cl_int clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read,
			  const size_t *origin, const size_t *region, size_t row_pitch,
			  size_t slice_pitch, void *ptr, cl_uint num_events_in_wait_list,
			  const cl_event *event_wait_list, cl_event *event)
{
	return refuse_command(command_queue, CL_INVALID_MEM_OBJECT);
}

cl_int clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_write,
			   const size_t *origin, const size_t *region, size_t input_row_pitch,
			   size_t input_slice_pitch, const void *ptr,
			   cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
			   cl_event *event)
{
	return refuse_command(command_queue, CL_INVALID_MEM_OBJECT);
}

cl_int clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image,
			  const size_t *src_origin, const size_t *dst_origin, const size_t *region,
			  cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
			  cl_event *event)
{
	return refuse_command(command_queue, CL_INVALID_MEM_OBJECT);
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image,
				  cl_mem dst_buffer, const size_t *src_origin, const size_t *region,
				  size_t dst_offset, cl_uint num_events_in_wait_list,
				  const cl_event *event_wait_list, cl_event *event)
{
	return refuse_command(command_queue, CL_INVALID_MEM_OBJECT);
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer,
				  cl_mem dst_image, size_t src_offset, const size_t *dst_origin,
				  const size_t *region, cl_uint num_events_in_wait_list,
				  const cl_event *event_wait_list, cl_event *event)
{
	return refuse_command(command_queue, CL_INVALID_MEM_OBJECT);
}

cl_int clEnqueueFillImage(cl_command_queue command_queue, cl_mem image, const void *fill_color,
			  const size_t *origin, const size_t *region,
			  cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
			  cl_event *event)
{
	return refuse_command(command_queue, CL_INVALID_MEM_OBJECT);
}

void *clEnqueueMapImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_map,
			cl_map_flags map_flags, const size_t *origin, const size_t *region,
			size_t *image_row_pitch, size_t *image_slice_pitch,
			cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
			cl_event *event, cl_int *errcode_ret)
{
	base_answer(errcode_ret, refuse_command(command_queue, CL_INVALID_MEM_OBJECT));
	return NULL;
}

/* ---- Pipes ------------------------------------------------------------------------------ */

cl_mem clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
		    cl_uint pipe_max_packets, const cl_pipe_properties *properties,
		    cl_int *errcode_ret)
{
	base_answer(errcode_ret, refuse_to_make(context));
	return NULL;
}

cl_int clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
		     void *param_value, size_t *param_value_size_ret)
{
	return refuse_question(pipe);
}

/* ---- Programs that are not made of OpenCL C ---------------------------------------------- */

cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
					     const cl_device_id *device_list,
					     const char *kernel_names, cl_int *errcode_ret)
{
	cl_int error = refuse_to_make(context);

	base_answer(errcode_ret, error == CL_INVALID_CONTEXT ? error : CL_INVALID_VALUE);
	return NULL;
}

cl_int clSetProgramReleaseCallback(cl_program program,
				   void(CL_CALLBACK *pfn_notify)(cl_program program,
								 void *user_data),
				   void *user_data)
{
	USE_PROGRAM(entered, program);

	return CL_INVALID_OPERATION;
}
