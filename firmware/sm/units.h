/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The SM's share of the memory of the SMs, cut into units, and what a CTA has of it (sm_area.h): its
 * window, in which its private memory, its block and its shared memory lie.
 */
#ifndef FIRMWARE_SM_UNITS_H
#define FIRMWARE_SM_UNITS_H

#include "firmware/sm/sm.h"

/** Take over the share of memory that the CP wrote into the SM's state. No CTA is resident. Which context
 * used the memory before is not known from then on. Sets `base` of all records. */
void units_take_share(struct sm *sm);

/** Base of a CTA's shared memory: its `tp`. The CTA's block (struct gg_cta) ends here. */
uintptr_t units_shared(const struct sm *sm, const struct sm_cta *cta);

/** A CTA whose `block_of` is not its task's is about to start: take its units from the CTAs that had them before, so
 * that none of these is prepared any more, and clear the units but for those that hold data of its own context. So a
 * kernel never finds data of another context, nor data from before the share changed or before the device
 * started. Within a context the memory stays as the CTA before left it. */
void units_take(struct sm *sm, const struct sm_cta *cta);

#endif /* FIRMWARE_SM_UNITS_H */
