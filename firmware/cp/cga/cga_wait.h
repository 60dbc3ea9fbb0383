/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * CGAs that wait for room or for an id, and the tasks behind them (S1-R88, S1-Q9, S1-Q29). Owns `task->cga_wait`.
 *
 * While a CGA does not fit, tasks behind it may use the SMs, but only for as many CTAs as the *patience* says. Then
 * a domain is reserved for it: of the domains in which it would fit if they were idle, the one with the most free
 * slots for it. The SMs of this domain are not offered to the tasks behind it. The reservation ends when the CGA is
 * launched or cannot fit there any more; when very many CTAs were issued elsewhere meanwhile, it moves to another
 * domain. Nothing is reserved for a CGA that fits nowhere because SMs are disabled.
 *
 * A CGA that waits for an id has room, so it keeps back only other CGAs behind it, after the same patience. It
 * continues to do so when it then finds no room.
 */
#ifndef FIRMWARE_CP_CGA_CGA_WAIT_H
#define FIRMWARE_CP_CGA_CGA_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Reset: no CGA waits, and the patience is as at boot. */
void cga_wait_init(void);

/** Begin a walk over the ready tasks: no ids are kept yet. */
void cga_wait_walk(void);

/** Handle that the next CGA of a task does not fit: limit the CTAs that may pass it, or claim the SMs of its domain.
 * @return  Whether SMs are left to offer to tasks behind it. */
bool cga_wait_for_room(struct task *task);

/** Handle that no id, or no record, is free for the next CGA of a task. */
void cga_wait_for_id(struct task *task);

/** Whether ids and records are kept for a CGA that this walk has passed; no other CGA may take any. */
bool cga_wait_keeps_ids(void);

/** Note that a CGA of a task was launched, so it waits no longer. */
void cga_wait_over(struct task *task);

/** Set how many CTAs may be issued past a CGA that waits for room, before SMs are reserved for it (S1-Q9).
 * @param ctas  0 to reserve SMs at once. */
void cga_wait_set_patience(uint32_t ctas);

#endif /* FIRMWARE_CP_CGA_CGA_WAIT_H */
