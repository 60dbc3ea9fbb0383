/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The task graph of a recording: one pass for each step, in the order that was recorded.
 */
#ifndef HOST_OPENCL_PASSES_H
#define HOST_OPENCL_PASSES_H

#include "host/opencl/recording.h"

/** Makes the graph of the steps, and has the device keep it. The caller holds the recording's lock.
 * @return as memory_place(); CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY: the context was told why. */
cl_int passes_keep(cl_command_buffer_khr recording);

/** Makes the graph anew, since steps have changed, and gives the old one up. The caller holds the recording's lock, and
 * nothing runs. @return as passes_keep(): the old graph is still there. */
cl_int passes_keep_again(cl_command_buffer_khr recording);

/** Has the content of all buffers on the recording's device. @return as memory_place(). */
cl_int passes_place(cl_command_buffer_khr recording);

#endif /* HOST_OPENCL_PASSES_H */
