/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Floor against starvation: a share of the CTAs, in thousandths, for tasks of lower priority than the best
 * that can be issued.
 *
 * While such tasks wait, every CTA issued adds the share to a credit; while that is 1,000 or more, the
 * next CTA is one of theirs, the lower priorities in rotation. So that they get into the task table at
 * all, one slot of it is kept for a guest: a pending task of a lower priority, again in rotation.
 */
#ifndef FIRMWARE_CP_SCHEDULE_MINIMUM_SHARE_H
#define FIRMWARE_CP_SCHEDULE_MINIMUM_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

#define MINIMUM_SHARE_WHOLE 1000u /**< A share of all. */

/** Off: strict priority. */
void minimum_share_init(void);

/** Set the share.
 * @param per_mille  0 (off) to 999. */
void minimum_share_set(uint32_t per_mille);

/** Whether there is a floor. */
bool minimum_share_is_on(void);

/** CTAs that may be issued before one of a lower priority has to be; 0: now.
 * @param lower  Bit p: a task of priority p is ready, lower than the best. */
uint64_t minimum_share_limit(uint32_t lower);

/** A walk over the ready tasks begins.
 * @param waiting  Whether any task of a lower priority than the best waits, ready or pending. */
void minimum_share_begin(bool waiting);

/** CTAs were issued, at most minimum_share_limit().
 * @param waiting  Whether any task of a lower priority waits. */
void minimum_share_issued(bool waiting, uint64_t ctas);

/** CTAs of a lower priority were issued because one was due: one, or those of a CGA.
 * @param ctas  1 to CP_CGA_CTAS. */
void minimum_share_paid(const struct task *task, uint32_t ctas);

/** The lower priority whose turn it is.
 * @param lower  Not 0. */
uint32_t minimum_share_turn(uint32_t lower);

/** The guest, or NULL. */
struct task *minimum_share_guest(void);

/** The priority that the next guest should have.
 * @param lower  Bit p: a task of priority p is pending, lower than the best; not 0. */
uint32_t minimum_share_next_guest(uint32_t lower);

/** A task takes the guest's slot. */
void minimum_share_seat(struct task *task);

/** Whether the guest has had its turn: a CTA that was due, and no other one is. */
bool minimum_share_guest_is_served(void);

/** A task leaves its slot. */
void minimum_share_left(const struct task *task);

#endif /* FIRMWARE_CP_SCHEDULE_MINIMUM_SHARE_H */
