/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * libganger, the host's library for Ganger devices. This header includes all six parts: devices and
 * memory, what a task is made of, work sets of many dimensions, kernels and tasks, task graphs, and
 * what tools and tests look into.
 *
 * Every call returns an enum gg_status: 0, or a negative number of the ABI. Values come back
 * through the last parameters, which are untouched after an error unless a comment says otherwise.
 * All calls are thread-safe, but nothing may be used during or after its own release. Every wait
 * has a deadline, in milliseconds from the call; 0 looks once and does not wait. Addresses are
 * device addresses. After an error, gg_error_last() tells more.
 */
#ifndef HOST_INCLUDE_GANGER_H
#define HOST_INCLUDE_GANGER_H

#include "host/include/ganger_device.h"
#include "host/include/ganger_graph.h"
#include "host/include/ganger_inspect.h"
#include "host/include/ganger_range.h"
#include "host/include/ganger_task.h"
#include "host/include/ganger_work.h"

#endif /* HOST_INCLUDE_GANGER_H */
