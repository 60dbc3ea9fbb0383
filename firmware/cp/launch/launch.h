/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * CTA launch: packets that start CTAs on the SMs (S0-R34, S1-R54…R59). Owns the CP's end of the packet rings.
 *
 * One packet starts many CTAs, and one report ends many. A packet leaves with the assignment of its task: it carries
 * the SM's assignment word, and the SM takes the task's state and acknowledges before it takes a packet with another
 * word than the last (S0-C2). Packets of CGAs are shown together, when all members of the CGAs are in place (S1-R59).
 */
#ifndef FIRMWARE_CP_LAUNCH_LAUNCH_H
#define FIRMWARE_CP_LAUNCH_LAUNCH_H

#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/task.h"

/** Reset this unit, launch_out.c and launch_stop.c: no SM has anything. */
void launch_init(void);

/** Write a packet with the next CTAs of a task for an SM.
 * @param task  Holds a slot and has at least `ctas` left.
 * @param ctas  1 to the SM's free slots for the task.
 * @param cga   For CTAs of a CGA, which the SM sees only after launch_publish(): word packet.cga; else 0.
 * @return      Lowest unit of each CTA, a bit each. */
uint32_t launch_piece(uint32_t sm, struct task *task, uint32_t ctas, uint32_t cga);

/** Write a packet with the next CTAs of a task without CGAs for an SM.
 * @param ctas  1 to the SM's free slots for the task. */
static inline void launch_ctas(uint32_t sm, struct task *task, uint32_t ctas)
{
	(void)launch_piece(sm, task, ctas, 0);
}

/** Write a packet with the next CTAs of a task, to an SM on which as many have ended; sm_state_fits_again() is true. The
 * caller counts them, and records them in the trace.
 * @param starts  Lowest unit of each of those that have ended, a bit each; not 0.
 * @param first   Position of the first of the new ones.
 * @return        How many they are. */
uint32_t launch_again(uint32_t sm, const struct task *task, uint32_t starts, uint64_t first);

/** Write a packet with the only CTA of a task, to an SM that holds nothing.
 * @param task  Holds a slot; its work says that the CTA is issued (task_work_all()). */
void launch_only(uint32_t sm, const struct task *task);

/** Write a packet for CTAs of a task that are not new: they are to be parked, or were parked. Their resources are taken.
 * @param starts  Lowest unit of each, a bit each.
 * @param area    The SM's part of the area.
 * @param how     GG_PACKET_PARK_SAVE or GG_PACKET_PARK_RESTORE. */
void launch_special(uint32_t sm, struct task *task, uint32_t starts, uint64_t area, uint32_t how);

/** Write a packet with streams of a PULL grid for an SM (S4-R16).
 * @param streams  1 to the SM's free slots for the task.
 * @param first    Position of the first item that goes with them.
 * @param pull     Word packet.pull. */
void launch_streams(uint32_t sm, struct task *task, uint32_t streams, uint64_t first,
		    uint32_t pull);

/** Show SMs the packets of CGAs, whose members are in place now. Each of these SMs gets one interrupt. */
void launch_publish(void);

#endif /* FIRMWARE_CP_LAUNCH_LAUNCH_H */
