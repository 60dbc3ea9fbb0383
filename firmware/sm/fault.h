/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Fault records: what a CTA did wrong, for the host. Also what each trap cause means.
 */
#ifndef FIRMWARE_SM_FAULT_H
#define FIRMWARE_SM_FAULT_H

#include "firmware/sm/sm.h"

/** What a CTA did. */
struct fault {
	int32_t status;  /**< The negative of an error number. */
	uint32_t thread; /**< Linear number of the thread. */
	uintptr_t cause; /**< mcause, or 0. */
	uintptr_t value; /**< Address or instruction (mtval), or 0. */
};

/** Status for an exception of a kernel: GG_ERR_FAULT_… .
 * @param window  Lowest address of the CTA's own memory: an access to the page below it is a stack
 *                that overflowed. */
int32_t fault_status(uintptr_t cause, uintptr_t value, uintptr_t window);

/** Linear number of the thread of a CTA that has the hart, as its kernel says: it may be wrong. */
uint32_t fault_thread(const struct sm *sm, const struct sm_cta *cta);

/** Write a fault record of a CTA whose registers are in its context.
 * @return  Its sequence, not 0. */
uint32_t fault_record(struct sm *sm, const struct sm_cta *cta, const struct fault *fault);

/** Write a fault record of the runtime itself, from sm->bug. */
void fault_bug(struct sm *sm, uintptr_t cause, uintptr_t value);

#endif /* FIRMWARE_SM_FAULT_H */
