/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Tasks of commands: how they get onto the device, and what is the same at the end of all of them.
 */
#ifndef HOST_OPENCL_SUBMIT_H
#define HOST_OPENCL_SUBMIT_H

#include "host/opencl/command.h"

#define SUBMIT_TEXT 1024u /* Of a sentence about a failure. */

/** Submits work for a command that runs, after the tasks that it comes after. It may have to wait for others to
 * complete.
 * @param work   Without channel and `after`, which are those of the command.
 * @param what   What it is, and its name, for a sentence to the context when the device refuses it: "Kernel ", "scale".
 * @return COMMAND_ON_DEVICE, or an error. */
cl_int submit_work(cl_event event, struct gg_work *work, const char *what, const char *name);

/** What became of a task that has completed. What there is to print is printed.
 * @param prints  Whether the task may have printed.
 * @return false: the command was dealt with: its device is lost, or it goes to the device once more. */
bool submit_completed(cl_event event, bool prints, struct gg_done *done);

/** The error of a command for a status of the device that is not GG_OK. */
cl_int submit_error(enum gg_status status);

#endif /* HOST_OPENCL_SUBMIT_H */
