/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Throttle mode (S0-R22), in which only some of the SMs run, each with the memory of several.
 *
 * The mode is wanted while the task table holds a throttle task with CTAs left and no other task with CTAs left has
 * a higher priority. A switch into or out of the mode waits until no CTA is resident; nothing is issued meanwhile.
 * Then the CP writes each SM's share of memory into SM STATE, and the SM reads it with its next assignment.
 */
#ifndef FIRMWARE_CP_SCHEDULE_THROTTLE_H
#define FIRMWARE_CP_SCHEDULE_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Switch the mode off; in throttle mode two SMs share their memory, if there are two. */
void throttle_init(void);

/** How many SMs share their memory in throttle mode; a power of two. */
uint32_t throttle_sms(void);

/** log2 of throttle_sms(): in throttle mode, the bytes of a memory unit are shifted left by this. */
uint32_t throttle_shift(void);

/** Set how many SMs share their memory. throttle_tasks() is 0.
 * @param sms  A power of two, at most the number of SMs. */
void throttle_set(uint32_t sms);

/** Count a task that was accepted or is over; tasks without the throttle attribute do not count. */
void throttle_count(const struct task *task, bool accepted);

/** Whether any SM that runs in throttle mode may run a task's CTAs (S0-R25).
 * @param enabled  Whether only SMs count that are enabled now. */
bool throttle_can_run(const struct task *task, bool enabled);

/** Number of throttle tasks that were accepted and are not over. */
uint32_t throttle_tasks(void);

/** Switch the mode if that is wanted and no CTA is resident.
 * @return  false while a switch waits for CTAs to end. */
bool throttle_settle(void);

/** Whether a switch waits for CTAs to end. */
bool throttle_waits(void);

/** Whether the mode allows a task's CTAs to be issued (S0-R30). */
bool throttle_matches(const struct task *task);

#endif /* FIRMWARE_CP_SCHEDULE_THROTTLE_H */
