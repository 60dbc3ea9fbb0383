/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Throttle mode (S0-R22): a few SMs run, each with the memory of several.
 *
 * The mode is wanted while a throttle task with CTAs left is in the task table and no other task with CTAs
 * left has a higher priority. A switch, either way, waits until no CTA is resident; nothing is issued
 * meanwhile. Then all SMs are told their share, which they read with their next assignment.
 */
#ifndef FIRMWARE_CP_SCHEDULE_THROTTLE_H
#define FIRMWARE_CP_SCHEDULE_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Mode off; the share is that of two SMs, or one when there is one. */
void throttle_init(void);

/** SMs that share their memory in throttle mode: a power of two. */
uint32_t throttle_sms(void);

/** Its logarithm: a unit of memory is so many times doubled in throttle mode. */
uint32_t throttle_shift(void);

/** Set it. No throttle task is in the device: throttle_tasks() is 0.
 * @param sms  A power of two, at most the number of SMs. */
void throttle_set(uint32_t sms);

/** A throttle task was accepted, or is over. */
void throttle_count(const struct task *task, bool accepted);

/** Whether any SM that takes part in throttle mode may run a task's CTAs (S0-R25).
 * @param enabled  Only SMs count that are enabled now. */
bool throttle_can_run(const struct task *task, bool enabled);

/** Throttle tasks in the device. */
uint32_t throttle_tasks(void);

/** Switch if that is wanted and can be done.
 * @return  false while a switch waits for CTAs to end. */
bool throttle_settle(void);

/** Whether the mode lets a task's CTAs be issued (S0-R30). */
bool throttle_matches(const struct task *task);

#endif /* FIRMWARE_CP_SCHEDULE_THROTTLE_H */
