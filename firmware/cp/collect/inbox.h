/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The inbox of the control processor: what the SMs say. Owns the CP's ends of the report rings, and the bell bytes
 * as they were last seen.
 *
 * An SM that has news writes it, changes its bell byte, and interrupts the CP. The news of an SM is handled in this
 * order: the ends of waves, the acknowledgement of its assignment, arrivals at barriers of CGAs, reports, SM requests, the answer to a
 * stop request, and the end of its hart.
 */
#ifndef FIRMWARE_CP_COLLECT_INBOX_H
#define FIRMWARE_CP_COLLECT_INBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/device.h"
#include "firmware/cp/base/limits.h"
#include "hal/launch_unit.h"
#include "hal/mmio.h"

/** Reports taken from each SM, modulo 2^32. Written by inbox.c, and by the room express. */
extern uint32_t inbox_taken[CP_SMS];

/** Bell bytes as last seen, four in a word. Written by inbox.c, and by the room express. */
extern uint32_t inbox_heard[CP_SMS / 4];

/** SMs whose bells were taken from the launch unit and are still to be handled, a bitmap by number. Bell bytes are not used where
 * there is one. Written by inbox.c, and by the room express. */
extern uint32_t inbox_rung;

/** Take the bells of the launch unit: adds to inbox_rung. */
static inline void inbox_take_bells(void)
{
	inbox_rung |= launch_unit_bells() >> 1; /* hart 0 is the CP */
}

/** Whether an SM has said that its hart has stopped. Beside that, reports, requests and the acknowledgement of its assignment, it
 * answers stop requests, which matters while others wait behind them (DUE_STOPS). */
static inline bool inbox_has_stopped(uint32_t sm)
{
	return mmio_read32(&device.sms[sm].hart_state) == GG_HART_STATE_STOPPED;
}

/** Initialize: no SM has said anything. */
void inbox_init(void);

/** Handle the news of all SMs whose bell bytes have changed. */
void inbox_run(void);

/** Take the reports that an SM has written since they were taken last. What it has acknowledged was heard before. */
void inbox_take_reports(uint32_t sm);

/** Handle that the hart of an SM has stopped, or will not be heard any more: take the reports that it has written, then it
 * is lost.
 * @param fault  Sequence of the fault record that tells of it, or 0. */
void inbox_end(uint32_t sm, uint32_t fault);

/** Forget what an SM has said, whose hart is stopped: it begins anew. */
void inbox_forget(uint32_t sm);

#endif /* FIRMWARE_CP_COLLECT_INBOX_H */
