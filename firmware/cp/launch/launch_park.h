/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * CTAs that are parked: SMs are asked to put them aside, which ones are, and their way back. Who is parked, and when, is
 * decided in park/park.h.
 *
 * An SM copies a CTA's registers and memory to its part of an area in the heap, and reports it with the status
 * LAUNCH_PARKED. From then on the CTA is not in flight; it counts in `work.left` and in `work.parked` of its task. It
 * comes back to the same units of the same SM. An SM keeps CTAs of up to LAUNCH_PARKS tasks, each in
 * a place of its own, which has as much memory as the SM.
 */
#ifndef FIRMWARE_CP_LAUNCH_LAUNCH_PARK_H
#define FIRMWARE_CP_LAUNCH_LAUNCH_PARK_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/due.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/task/task.h"

#define LAUNCH_PARKS  2u /**< Tasks of which an SM keeps parked CTAs, at most. */
#define LAUNCH_PARKED 1u /**< report.status of CTAs that are parked. */

/** CTAs of a task that are parked from an SM. */
struct launch_parked {
	struct task *task; /**< Their task, as long as its serial number is the one below. */
	uint32_t serial;   /**< Serial number of the task; 0: none. */
	uint32_t asked;  /**< Lowest unit of each CTA that the SM was asked to park, a bit each. */
	uint32_t starts; /**< Lowest unit of each that is parked. */
};

/** Whether CTAs may be parked. Written by park.c. */
extern bool launch_park_on;

/** First page of the area. Written by park.c. */
extern uint32_t launch_park_page;

/** Initialize: nothing is parked, and nothing may be. */
void launch_park_init(void);

/** Whether CTAs are parked, or were when launch_park_look() looked last. */
static inline bool launch_park_is_used(void)
{
	return part_is_here(GG_FEATURE_PARKS) && due_is(DUE_PARKED);
}

/** Whether CTAs of a task may be parked: those of grids that need neither their neighbours nor the CP at a certain time. */
bool launch_park_may(const struct task *task);

/** What is parked from an SM at one of its places, if its task has not failed; else NULL.
 * @param place  Below LAUNCH_PARKS. */
struct launch_parked *launch_park_at(uint32_t sm, uint32_t place);

/** Look whether any CTA is parked. */
bool launch_park_look(void);

/** Whether CTAs of a task are parked from an SM. */
bool launch_park_has(uint32_t sm, const struct task *task);

/** Ask an SM to park the CTAs of a task in a slot, for which launch_park_may() is true.
 * @return  Whether it is asked: it has CTAs of the task, a place for them, and its ring has room. */
bool launch_park_ask(uint32_t sm, struct task *task);

/** An SM has parked CTAs of a task, which are not in flight any more.
 * @param starts  Lowest unit of each, a bit each. */
void launch_park_take(uint32_t sm, struct task *task, uint32_t starts);

/** Send CTAs back to their SM, those whose resources are free there. Their task holds a slot. */
void launch_park_restore(uint32_t sm, struct launch_parked *parked);

/** Keep SMs from a task whose next CTAs are about to be issued, if CTAs are parked there that come first: those of tasks of
 * a higher priority, and of tasks in slots of the same. */
void launch_park_claim(const struct task *task);

#endif /* FIRMWARE_CP_LAUNCH_LAUNCH_PARK_H */
