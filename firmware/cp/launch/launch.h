/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * CTA launch: launch packets to the SMs, and their acknowledgements and reports back (S0-R34,
 * S1-R54…R59). Owns the CP's ends of the launch and report rings.
 *
 * One packet starts many CTAs, one report ends many. A packet is sent only to an SM that has
 * acknowledged the task's state (S0-C2): CTAs placed on an SM that has not are its *plan*: their
 * resources are taken, and their packets stand in the ring behind the count that the SM looks at, until it has
 * acknowledged. An SM that owes an acknowledgement is offered nothing else, so its plan is of one task; the
 * CGAs of a session can put several packets there (S1-R59).
 */
#ifndef FIRMWARE_CP_LAUNCH_LAUNCH_H
#define FIRMWARE_CP_LAUNCH_LAUNCH_H

#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/task.h"

/** What a packet says of the CGA of its CTAs. */
struct launch_cga {
	uint32_t cga;   /**< packet.cga. */
	uint32_t first; /**< Rank of its first CTA in the innermost CGA. */
};

/** Forget all plans. */
void launch_init(void);

/** Give the next CTAs of a task, in the order of their launch positions, to an SM.
 * @param task  Holds a slot; has at least `ctas` left.
 * @param ctas  1 to the SM's free slots for the task.
 * @param cga   CTAs of a CGA: the SM sees nothing of them before launch_publish(). NULL: of none.
 * @return      Lowest unit of each CTA, a bit each. */
uint32_t launch_piece(uint32_t sm, struct task *task, uint32_t ctas, const struct launch_cga *cga);

/** The same for a task without CGAs. */
static inline void launch_ctas(uint32_t sm, struct task *task, uint32_t ctas)
{
	(void)launch_piece(sm, task, ctas, NULL);
}

/** Give streams of a PULL grid to an SM (S4-R16).
 * @param streams  1 to the SM's free slots for the task.
 * @param first    Position of the first item that goes with them.
 * @param pull     packet.pull. */
void launch_streams(uint32_t sm, struct task *task, uint32_t streams, uint64_t first,
		    uint32_t pull);

/** Members of CGAs are in place: SMs that are ready see their packets, one interrupt for each SM. */
void launch_publish(void);

/** Packets that an SM may see, since boot: those from here to launch_written[] are its plan. */
uint32_t launch_shown(uint32_t sm);

/** An SM may see all packets that are written for it. */
void launch_show(uint32_t sm);

/** What an SM was not shown yet is not sent. */
void launch_forget(uint32_t sm);

#endif /* FIRMWARE_CP_LAUNCH_LAUNCH_H */
