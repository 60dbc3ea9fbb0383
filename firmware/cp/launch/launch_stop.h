/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Stop requests, which tell SMs to end the CTAs of a task that has failed, or of CGAs that run again. Owns the `stop_slot` words
 * of SM STATE.
 */
#ifndef FIRMWARE_CP_LAUNCH_LAUNCH_STOP_H
#define FIRMWARE_CP_LAUNCH_LAUNCH_STOP_H

#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Reset: no request is outstanding. */
void launch_stop_init(void);

/** Forget the requests for an SM, whose hart is stopped. */
void launch_stop_forget(uint32_t sm);

/** Ask an SM to stop itself, whatever other requests there are. It rings when it has. */
void launch_stop_sm(uint32_t sm);

/** Ask all SMs that were sent CTAs of a task to stop those that still run: all of a task that has failed, else those whose
 * `member` says that they are to stop. */
void launch_stop(const struct task *task);

/** Send the next request to an SM, if one waits and it has acted on the last one. While any SM has one that waits, DUE_STOPS is set. */
void launch_stop_next(uint32_t sm);

#endif /* FIRMWARE_CP_LAUNCH_LAUNCH_STOP_H */
