/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernels as commands.
 */
#ifndef HOST_OPENCL_LAUNCH_H
#define HOST_OPENCL_LAUNCH_H

#include "host/opencl/command.h"

/** Ends a kernel's command: its task has completed, or the device answers no more. The event may be
 * gone at the return. */
void launch_completed(cl_event event);

#endif /* HOST_OPENCL_LAUNCH_H */
