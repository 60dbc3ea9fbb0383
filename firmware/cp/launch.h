/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * CTA launch: launch packets to the SMs, and their acknowledgements and reports back (S0-R34,
 * S1-R54…R59). Owns the CP's ends of the launch and report rings.
 *
 * One packet starts many CTAs, one report ends many. A packet is sent only to an SM that has
 * acknowledged the task's state (S0-C2): CTAs placed on an SM that has not are kept as its *plan*,
 * their resources taken, and leave when it does. An SM that owes an acknowledgement is offered
 * nothing else, so it has one plan at most.
 */
#ifndef FIRMWARE_CP_LAUNCH_H
#define FIRMWARE_CP_LAUNCH_H

#include <stdint.h>

#include "firmware/cp/task.h"

/** Forget all plans. */
void launch_init(void);

/** Interrupt an SM. */
void launch_ring(uint32_t sm);

/** Give the next CTAs of a task, in linear order, to an SM.
 * @param task  Holds a slot; has at least `ctas` left.
 * @param ctas  1 to the SM's free slots for the task. */
void launch_ctas(uint32_t sm, struct task *task, uint32_t ctas);

/** Ask all SMs that ran CTAs of a task to end the rest of them. */
void launch_stop(const struct task *task);

/** Take in what the SMs say: acknowledgements, reports, requests. */
void launch_poll(void);

#endif /* FIRMWARE_CP_LAUNCH_H */
