/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What a walk over the ready tasks still has to offer (method 400). At first these are all SMs. Tasks that lack room
 * claim SMs, which are then no longer offered to the tasks behind them. The number of CTAs is unlimited, except that
 * for a while only some may be issued past a CGA that does not fit (cga_wait.h).
 */
#ifndef FIRMWARE_CP_SMS_OFFER_H
#define FIRMWARE_CP_SMS_OFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

#define OFFER_ANY UINT64_MAX /**< Stands for any number of CTAs. */

/** Begin a walk: offer all SMs and any number of CTAs. */
void offer_all(void);

/** How many CTAs may still be issued; OFFER_ANY for any number. When this is 0, the walk has to begin again, so that
 * SMs are reserved for a CGA that the walk has passed. */
uint64_t offer_ctas(void);

/** Limit how many CTAs may still be issued in this walk. */
void offer_at_most(uint64_t ctas);

/** Count CTAs that are issued outside of a walk: offer_total() counts them, too. */
void offer_passed(uint32_t ctas);

/** Count CTAs that were issued. */
void offer_issued(uint32_t ctas);

/** CTAs issued so far in all walks; wraps at 2^32. */
uint32_t offer_total(void);

/** The SMs that are offered and that a task may use (S0-R25), a bitmap by number; NULL for all. Valid until the next
 * call. */
const uint32_t *offer_to(const struct task *task);

/** Claim for a task all SMs that it may use. A task that may use any SM claims all.
 * @return  Whether any SM is left to offer. */
bool offer_claim(const struct task *task);

/** Claim SMs for a task.
 * @param sms  A bitmap by number.
 * @return     Whether any SM is left to offer. */
bool offer_claim_sms(const uint32_t *sms);

#endif /* FIRMWARE_CP_SMS_OFFER_H */
