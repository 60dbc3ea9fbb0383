/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Lost SMs: an SM whose own code finds a bug records it and stops its hart; an SM that is reset is lost until it is
 * back (recover/reset.h). What a lost SM still says is not heard.
 *
 * The CTAs that ran on it are over, and their tasks fail with ERR_SM_LOST; those of a task with `retry_limit` are issued
 * again (task/retry.h), and with one of a CGA the whole CGA (cga/cga_again.h). A PULL grid always takes back the items that the SM had taken and not reported, and issues them
 * once more; it fails when items are lost a second time, or more often than its `retry_limit`. An item may thus run
 * twice, in part or completely, which work items have to allow (S4-R102).
 *
 * When one of the CTAs had been on another lost SM before, its kernel is suspected (task/retry.h). If all such CTAs are of one
 * kernel, that kernel is guilty: its tasks that had them end with ERR_QUARANTINE, and no more of it is accepted
 * (task/quarantine.h). CTAs of other tasks only stood beside it, and are issued again.
 *
 * The SM's PULL block says which items it had taken. An SM takes a chunk with an atomic addition and then writes its
 * PULL block; between the two the chunk is in no block, but the SM's code has no check there at which it could stop.
 * When an SM stopped while it fetched a portion for its GPC, the local queue shows that, and the task fails.
 */
#ifndef FIRMWARE_CP_COLLECT_SM_LOST_H
#define FIRMWARE_CP_COLLECT_SM_LOST_H

#include <stdint.h>

#include "firmware/cp/base/limits.h"

/** Handle an SM that is not lost yet, whose hart has stopped, after all its reports were taken.
 * @param fault  Sequence of the fault record that tells of it, or 0. */
void sm_lost(uint32_t sm, uint32_t fault);

#endif /* FIRMWARE_CP_COLLECT_SM_LOST_H */
