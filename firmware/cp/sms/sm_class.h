/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Classes of tasks: availability levels for the needs of a CTA (S1-R49, S1-Q12).
 *
 * A few classes are kept at once. A change of an SM marks it stale in each class, and a class is
 * brought up to date only when it is used: an event costs a few bits, not a division per class,
 * and tasks of different needs can alternate without computing all SMs anew.
 */
#ifndef FIRMWARE_CP_SMS_SM_CLASS_H
#define FIRMWARE_CP_SMS_SM_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/sms/availability.h"
#include "firmware/cp/task/task.h"

/** Levels for a class, up to date. Valid until the next change of an SM.
 * @param sms  Only of these SMs, a bitmap by number; NULL for all. */
const struct availability *sm_class_levels(const struct task_needs *needs, const uint32_t *sms);

/** What a session of placement works on (S1-R119). */
struct sm_class_session {
	struct availability *levels; /**< Up to date; the session may lower them. */
	/** Bitmap by number: SMs that may stand on another level than at the end of this class's last
	 * session; the session clears it. NULL: the levels were made for this session alone. */
	uint32_t *changed;
	/** Bitmap by number: SMs that are out of date in the class; the session adds those that it
	 * lowered. NULL with `changed`. */
	uint32_t *stale;
};

/** Begin a session: only it, and no other call of this file but those that say that an SM changed,
 * comes between this and its last use of the levels.
 * @param sms  Only these SMs, a bitmap by number; NULL for all. */
struct sm_class_session sm_class_begin(const struct task_needs *needs, const uint32_t *sms);

/** Levels if all SMs that are enabled were idle. Valid until the next call for some of the SMs.
 * @param sms  As above. */
const struct availability *sm_class_idle(const struct task_needs *needs, const uint32_t *sms);

/** The next SM after `last`, by number, wrapping round, that could start a CTA (S0-R32).
 * @param sms      Only of these, a bitmap by number; NULL for all.
 * @param[out] sm  Written only when there is one. */
bool sm_class_next(const struct task_needs *needs, const uint32_t *sms, uint32_t last,
		   uint32_t *sm);

#endif /* FIRMWARE_CP_SMS_SM_CLASS_H */
