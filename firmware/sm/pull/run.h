/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Runs: CTAs of a PULL grid that a stream runs one after the other without a trap between them.
 *
 * To end a CTA and begin the next one costs several hundred instructions, as many as a small kernel has. So when CTAs are short a
 * stream takes several items out of the hand, and the kernel goes on from one to the next by itself (GG_CTA_FLAG_RUN in
 * gg_cta.h). How far it has come is seen in its CTA block, at each trap; so whatever looks at the CTA, a fault or a request, sees
 * the one that runs. A kernel that leaves before the end of its run is entered again for the rest.
 *
 * While a run lasts nothing is taken from the stream. So it is made as long as it takes half a time slice, measured with the
 * runs before. CTAs with a time limit, with fewer threads at the edge of the grid, or while the trace is on are run one by one.
 */
#ifndef FIRMWARE_SM_PULL_RUN_H
#define FIRMWARE_SM_PULL_RUN_H

#include "firmware/sm/sm.h"

/** The first streams of a task arrive: note whether it has runs. */
void run_prime(struct sm_task *task);

/** A stream begins a run.
 * @param left  Items in hand, 1 or more.
 * @return      Items that it takes, 1 to 64. */
uint32_t run_begin(const struct sm *sm, struct sm_cta *cta, uint32_t left);

/** CTAs of a stream have ended well: count them for the next report. */
void run_count(struct sm_task *task, const struct sm_cta *cta, uint32_t ctas);

/** A CTA has left the hart: if it has gone on in a run, go on to the one that ran last. Those before it have ended well. */
void run_settle(struct sm *sm, struct sm_cta *cta);

/** A CTA has ended well, of a task that has runs. If more of its run are to come, the stream begins with them. */
void run_end(struct sm *sm, struct sm_cta *cta);

#endif /* FIRMWARE_SM_PULL_RUN_H */
