/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * libganger, the host's library for Ganger devices. This header includes all seven parts: devices and
 * memory, what a task is made of, work sets of many dimensions, kernels and tasks, task graphs, groups
 * of devices, and what tools and tests look into.
 *
 * Every call returns an enum gg_status: 0, or a negative number of the ABI. Values come back
 * through the last parameters, which are untouched after an error unless a comment says otherwise.
 * Every wait has a deadline, in milliseconds from the call; 0 looks once and does not wait.
 * Addresses are device addresses. After an error, gg_error_last() tells more. Pointers are needed unless a
 * comment says otherwise, those of an array if it has entries: where one is NULL, the call does nothing, and
 * returns GG_ERR_ARGUMENT (name: the pointer's).
 *
 * What the library gives out as struct gg_device *, gg_context *, gg_module *, gg_task * and
 * gg_task_graph * are handles: numbers that only the library understands. All calls may come from
 * any threads at the same time, releases among them: a call that is under way ends as if the release
 * came after it, except that waits for a device that is closed end with GG_ERR_DEVICE_LOST. From then
 * on the handle is refused with GG_ERR_HANDLE (name: its kind; value: the handle), for ever: none is
 * given out twice. So are NULL, handles of another kind or device, and any other number; they change
 * nothing. Modules and graphs are released with their context, and everything with its device.
 *
 * In a child of fork() the handles of the parent are refused with GG_ERR_FORKED, in a release, too. The
 * child may open devices of its own.
 */
#ifndef HOST_INCLUDE_GANGER_H
#define HOST_INCLUDE_GANGER_H

#include "host/include/ganger_device.h"
#include "host/include/ganger_graph.h"
#include "host/include/ganger_group.h"
#include "host/include/ganger_inspect.h"
#include "host/include/ganger_range.h"
#include "host/include/ganger_task.h"
#include "host/include/ganger_work.h"

#endif /* HOST_INCLUDE_GANGER_H */
