/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Classes of tasks. A class has the availability levels for one set of needs of a CTA (S1-R49, S1-Q12).
 *
 * A few classes are kept at once. A change of an SM marks it stale in each class, and a class is brought up to date
 * only when it is used. So an event costs a few bits and not a division for each class, and tasks with different
 * needs can alternate without computing the levels of all SMs each time.
 */
#ifndef FIRMWARE_CP_SMS_SM_CLASS_H
#define FIRMWARE_CP_SMS_SM_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/sms/availability.h"
#include "firmware/cp/task/task.h"

/** The levels for the needs of a CTA, up to date. Valid until the next change of an SM.
 * @param sms  SMs to include, a bitmap by number; NULL for all. */
const struct availability *sm_class_levels(const struct task_needs *needs, const uint32_t *sms);

/** What a session that places CGAs works on (S1-R119). */
struct sm_class_session {
	struct availability *levels; /**< The levels, up to date; the session may lower them. */
	/** Bitmap by number: SMs whose level may have changed since the end of this class's last session; the session
	 * clears it. NULL when the levels were made for this session only. */
	uint32_t *changed;
	/** Bitmap by number: SMs that are stale in the class; the session adds the SMs that it lowered. NULL when
	 * `changed` is. */
	uint32_t *stale;
};

/** Begin a session. Until its last use of the levels, no other function of this unit may be called; SMs may change.
 * @param sms  SMs to include, a bitmap by number; NULL for all. */
struct sm_class_session sm_class_begin(const struct task_needs *needs, const uint32_t *sms);

/** The levels as if all enabled SMs were idle. Valid until the next call for some of the SMs.
 * @param sms  SMs to include, a bitmap by number; NULL for all. */
const struct availability *sm_class_idle(const struct task_needs *needs, const uint32_t *sms);

/** Find the next SM after `last` by number, wrapping round, that can start a CTA (S0-R32).
 * @param sms      SMs to include, a bitmap by number; NULL for all.
 * @param[out] sm  Written only when there is one.
 * @return         false when no SM can start a CTA. */
bool sm_class_next(const struct task_needs *needs, const uint32_t *sms, uint32_t last,
		   uint32_t *sm);

#endif /* FIRMWARE_CP_SMS_SM_CLASS_H */
