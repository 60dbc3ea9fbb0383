/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * SMs that stopped: by a bug of their own, which they record before they do. They do not come back.
 *
 * CTAs that they had are over: their tasks fail with ERR_SM_LOST. A PULL grid gets the items back that its SM had
 * in hand and those that were run, and issues them once more; items that are lost a second time fail it, too. Such
 * an item may have run in part, or to its end: its CTA must not mind (S4-R102).
 *
 * What the SM had is in its PULL block, which it writes before it goes on; a chunk that it was about to take, between
 * the atomic addition and that write, is in nobody's block. An SM stops where its own code finds a bug, and there
 * is none of these places between the two. A portion that it was about to fetch for its GPC shows in the local queue:
 * its task fails.
 */
#ifndef FIRMWARE_CP_COLLECT_SM_LOST_H
#define FIRMWARE_CP_COLLECT_SM_LOST_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/limits.h"

/** No SM was lost. */
void sm_lost_init(void);

/** Whether an SM was lost: it stays off. */
bool sm_lost_has(uint32_t sm);

/** An SM is found stopped, and has no more to say: all its reports are taken. */
void sm_lost(uint32_t sm);

#endif /* FIRMWARE_CP_COLLECT_SM_LOST_H */
