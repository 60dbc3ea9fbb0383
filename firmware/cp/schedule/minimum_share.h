/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The minimum share of lower priorities, against starvation: of all CTAs that are issued, tasks of lower priority
 * than the best ready task get at least this share, in thousandths.
 *
 * While such tasks wait, every CTA that is issued adds the share to a credit. When the credit is 1,000 or more, the
 * next CTA is due to a lower priority; the lower priorities take turns. So that tasks of lower priorities get into
 * the task table at all, one slot of it is the guest slot. It is kept for a pending task of a lower priority, the
 * *guest*, and these priorities take turns, too.
 */
#ifndef FIRMWARE_CP_SCHEDULE_MINIMUM_SHARE_H
#define FIRMWARE_CP_SCHEDULE_MINIMUM_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** A share of all CTAs, in thousandths; also the credit for one CTA. */
#define MINIMUM_SHARE_WHOLE 1000u

/** Switch the minimum share off: priorities are strict. */
void minimum_share_init(void);

/** Set the minimum share.
 * @param per_mille  0 (off) to 999. */
void minimum_share_set(uint32_t per_mille);

/** Whether the minimum share is not 0. */
bool minimum_share_is_on(void);

/** How many CTAs may be issued before one is due to a lower priority.
 * @param lower  Bit p: a task of priority p is ready, and p is lower than the best.
 * @return       0 when one is due now; UINT64_MAX when there is no limit. */
uint64_t minimum_share_limit(uint32_t lower);

/** Begin a walk over the ready tasks.
 * @param waiting  Whether any task of a lower priority than the best is ready or pending. */
void minimum_share_begin(bool waiting);

/** Earn credit for CTAs that were issued.
 * @param waiting  Whether any task of a lower priority is ready or pending.
 * @param ctas     At most minimum_share_limit(), or the CTAs of a CGA that exceeds it. */
void minimum_share_issued(bool waiting, uint64_t ctas);

/** Pay credit for CTAs that were issued to a lower priority because one was due.
 * @param ctas  1, or the CTAs of a CGA: up to CP_CGA_CTAS. */
void minimum_share_paid(const struct task *task, uint32_t ctas);

/** The lower priority to which the next due CTA goes.
 * @param lower  Bit p: a task of priority p is ready, and p is lower than the best; not 0. */
uint32_t minimum_share_turn(uint32_t lower);

/** The task in the guest slot, or NULL. */
struct task *minimum_share_guest(void);

/** The priority from which the next guest is taken.
 * @param lower  Bit p: a task of priority p is pending, and p is lower than the best; not 0. */
uint32_t minimum_share_next_guest(uint32_t lower);

/** Note that a task is the guest now. */
void minimum_share_seat(struct task *task);

/** Whether the guest has been issued a CTA that was due, and no further CTA is due now. */
bool minimum_share_guest_is_served(void);

/** Note that a task leaves its slot; if it is the guest, there is none now. */
void minimum_share_left(const struct task *task);

#endif /* FIRMWARE_CP_SCHEDULE_MINIMUM_SHARE_H */
