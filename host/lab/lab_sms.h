/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The SMs of the laboratory. An SM takes its packets at once. It runs up to `lanes` CTAs at full speed; more of them
 * share it evenly. It reports as firmware/sm does: when it has collected the batch of the task's slot, or when none of
 * the task's CTAs is left.
 */
#ifndef HOST_LAB_LAB_SMS_H
#define HOST_LAB_LAB_SMS_H

#include <stdint.h>

#include "host/lab/lab_work.h"

#define LAB_NEVER UINT64_MAX /**< A time that does not come. */

/** Nanoseconds that lanes of all SMs have run CTAs so far. */
extern uint64_t lab_busy_ns;

/** Make the SMs, idle. */
void lab_sms_init(const struct lab_setup *setup);

/** Let the SMs that were interrupted take their packets. */
void lab_sms_take(void);

/** When the next CTA ends, in ns; LAB_NEVER when none runs. */
uint64_t lab_sms_next(void);

/** End all CTAs that are due at lab_now, in the order of their times and of the numbers of their SMs. */
void lab_sms_run(void);

#endif /* HOST_LAB_LAB_SMS_H */
