/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Resets of SMs: an SM is stopped, its CTAs end, its hart goes through its boot path again, and it joins the device with
 * nothing in its memory.
 *
 *            reset_begin()         its hart is stopped            it says that it runs
 *     serves ────────────▶ stops ─────────────────────▶ starts ─────────────────────▶ serves
 *                            │ no answer within the bound: it is forced, if the machine can │
 *                            └──────────────────────▶ written off ◀─────────────────────────┘
 *
 * An SM that takes interrupts finds a request to stop at the next one, goes the way of an SM that has found a bug of its
 * own, and sleeps in the start code. One that does not, because it runs in machine mode with interrupts off, is forced by
 * hart_reset() where the machine has a reset for each hart. Otherwise it is *written off*: its CTAs have ended for the
 * host, nothing that it says is heard any more, and it stops should it ever take an interrupt. A later reset may succeed.
 *
 * Memory units are cleared before the first CTA gets them, because an SM that has just started knows nothing of what is
 * in them.
 */
#ifndef FIRMWARE_CP_RECOVER_RESET_H
#define FIRMWARE_CP_RECOVER_RESET_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/refusal.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/sms/sm_state.h"

#define RESET_ANSWER_MS      10000u /**< CONFIG.answer_ms at boot. */
#define RESET_ANSWER_MOST_MS 60000u /**< Its largest value. */

/** Initialize: no SM is being reset. */
void reset_init(void);

/** Set how long an SM has to stop, and to start.
 * @param ms  1 to RESET_ANSWER_MOST_MS milliseconds. */
void reset_set_answer(uint32_t ms);

/** Carry out a RESET_SM command. The answer follows when the SM is in service again, or is written off (ERR_SM_LOST).
 * @param sm  Any number.
 * @return    GG_OK; GG_ERR_ARGUMENT: there is no such SM; GG_ERR_BUSY: another RESET_SM is under way, of the SM in
 *            the value, or this SM is being reset already. Nothing was done then, and this is the answer. */
struct refusal reset_command(uint32_t sm, const struct command_source *source);

/** Begin the reset of an SM, unless it is being reset already.
 * @param reason  SM_SERVICE_HANGS or SM_SERVICE_GIVEN. */
void reset_begin(uint32_t sm, enum sm_service reason);

/** Go on with all resets; DUE_RESET is cleared when none is under way. */
void reset_run(void);

/** When reset_run() wants to be called at the latest, in ticks. */
uint64_t reset_deadline(void);

#endif /* FIRMWARE_CP_RECOVER_RESET_H */
