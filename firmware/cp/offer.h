/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The SMs that a walk over the ready tasks still has to offer (method 400): all of them at first, less those
 * that tasks claimed which have CTAs left for want of room.
 */
#ifndef FIRMWARE_CP_OFFER_H
#define FIRMWARE_CP_OFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task.h"

/** Offer all SMs. */
void offer_all(void);

/** SMs that are offered and that a task may use (S0-R25): a bitmap by number, NULL for all; valid until
 * the next call. */
const uint32_t *offer_to(const struct task *task);

/** A task claims the SMs that it may use.
 * @return  Whether any are left. */
bool offer_claim(const struct task *task);

#endif /* FIRMWARE_CP_OFFER_H */
