/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What a walk over the ready tasks still has to offer (method 400): all SMs at first, less those that tasks
 * claimed which have CTAs left for want of room; and any number of CTAs, but for a while only some after a CGA that
 * does not fit (cga_wait.h).
 */
#ifndef FIRMWARE_CP_SMS_OFFER_H
#define FIRMWARE_CP_SMS_OFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

#define OFFER_ANY UINT64_MAX /**< Any number of CTAs. */

/** A walk begins: offer all SMs, and any number of CTAs. */
void offer_all(void);

/** CTAs that may be issued yet; 0: the walk has to begin anew, since one of the tasks that it has met is to have SMs
 * reserved. */
uint64_t offer_ctas(void);

/** Offer no more CTAs than these from now on.
 * @param ctas  1 or more. */
void offer_at_most(uint64_t ctas);

/** CTAs were issued. */
void offer_issued(uint32_t ctas);

/** CTAs issued so far, in all walks; wraps at 2^32. */
uint32_t offer_total(void);

/** SMs that are offered and that a task may use (S0-R25): a bitmap by number, NULL for all; valid until
 * the next call. */
const uint32_t *offer_to(const struct task *task);

/** A task claims the SMs that it may use.
 * @return  Whether any are left. */
bool offer_claim(const struct task *task);

/** SMs are claimed for a task.
 * @param sms  A bitmap by number.
 * @return     Whether any are left. */
bool offer_claim_sms(const uint32_t *sms);

#endif /* FIRMWARE_CP_SMS_OFFER_H */
