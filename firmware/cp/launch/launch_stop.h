/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Stop requests: SMs are asked to end the CTAs of a task that has failed.
 */
#ifndef FIRMWARE_CP_LAUNCH_LAUNCH_STOP_H
#define FIRMWARE_CP_LAUNCH_LAUNCH_STOP_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Nothing is to be stopped. */
void launch_stop_init(void);

/** Ask all SMs that ran CTAs of a task to end the rest of them. */
void launch_stop(const struct task *task);

/** Whether an SM is yet to be told to stop something. */
bool launch_stop_waits(uint32_t sm);

/** An SM may have acted on the last request: tell it the next. */
void launch_stop_next(uint32_t sm);

#endif /* FIRMWARE_CP_LAUNCH_LAUNCH_STOP_H */
