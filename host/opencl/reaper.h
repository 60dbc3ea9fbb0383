/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The thread of a device, which waits for tasks to complete and ends their commands.
 */
#ifndef HOST_OPENCL_REAPER_H
#define HOST_OPENCL_REAPER_H

#include "host/opencl/device.h"

/** Starts the thread of a device that is open. @return GG_ERR_NO_MEMORY. */
enum gg_status reaper_start(cl_device_id device);

/** Has the device's thread see to a command whose task is on its way. The event stays as long as
 * its command has not ended. */
void reaper_add(cl_event event);

#endif /* HOST_OPENCL_REAPER_H */
