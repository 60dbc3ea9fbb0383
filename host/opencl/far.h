/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Large copies and fills in the memory of a device that this host does not share: the device does them itself, by
 * a task graph of one pass, so that no byte of them goes over the line.
 */
#ifndef HOST_OPENCL_FAR_H
#define HOST_OPENCL_FAR_H

#include "host/opencl/device.h"

#define FAR_LEAST 4096u /* Bytes from which on this pays. */

/** Copies between two ranges that have no byte in common.
 * @return false: the device has no graphs, or refused it; nothing is known of the bytes of `to`. */
bool far_copy(cl_device_id device, uint64_t to, uint64_t from, uint64_t bytes);

/** Fills with a word. @param bytes  A multiple of 4. @return as far_copy(). */
bool far_fill(cl_device_id device, uint64_t to, uint32_t word, uint64_t bytes);

#endif /* HOST_OPENCL_FAR_H */
