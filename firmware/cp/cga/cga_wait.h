/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * CGAs that wait for room, and those behind them (S1-R88, S1-Q9, S1-Q29).
 *
 * While a CGA does not fit, tasks behind it may use the SMs: but for so many CTAs only as the patience says.
 * Then SMs are reserved for it: those of the domain in which it would fit if it were idle, and that has most free
 * slots for it. Nobody behind it is offered those, until it is launched or cannot fit there any more; or very many CTAs
 * were issued elsewhere meanwhile: then it is another domain's turn. A CGA that fits nowhere now that SMs are
 * disabled reserves nothing.
 *
 * A CGA that waits for an id has room, and keeps nobody back but, after the same patience, other CGAs behind it. It goes
 * on to do so if it finds no room any more.
 */
#ifndef FIRMWARE_CP_CGA_CGA_WAIT_H
#define FIRMWARE_CP_CGA_CGA_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Nobody waits; the patience is as at boot. */
void cga_wait_init(void);

/** A walk over the ready tasks begins: no ids are kept. */
void cga_wait_walk(void);

/** The next CGA of a task does not fit.
 * @return  Whether SMs are left to offer to tasks behind it. */
bool cga_wait_for_room(struct task *task);

/** There is no id, or no record, for the next CGA of a task. */
void cga_wait_for_id(struct task *task);

/** Whether ids and records are kept for a CGA that this walk has met. */
bool cga_wait_keeps_ids(void);

/** A CGA of a task was launched: it does not wait any more. */
void cga_wait_over(struct task *task);

/** CTAs that may be issued past a CGA that waits for room, before SMs are reserved for it (S1-Q9).
 * @param ctas  0: at once. */
void cga_wait_set_patience(uint32_t ctas);

#endif /* FIRMWARE_CP_CGA_CGA_WAIT_H */
