/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The SM's trace ring: one record for each CTA that ended, while sm_state.trace is 1. The ring
 * keeps the newest; sm_state.trace_put counts all.
 */
#ifndef FIRMWARE_SM_TRACE_H
#define FIRMWARE_SM_TRACE_H

#include "firmware/sm/sm.h"

/** Record a CTA that ends now. Called while sm_state.trace is 1.
 * @param status  0, or the negative of an error number. */
void trace_cta(struct sm *sm, const struct sm_cta *cta, int32_t status);

#endif /* FIRMWARE_SM_TRACE_H */
