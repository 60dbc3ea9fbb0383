/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Harts and their states, named as in the SBI's hart state management (HSM).
 *
 * At reset hart 0 runs the control processor; all others are STOPPED: they sleep in the start
 * code until hart_start(). Only the control processor starts harts.
 */
#ifndef HAL_HART_H
#define HAL_HART_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/status.h"

/** States of a hart (numbers of the SBI). */
enum hart_state {
	HART_STARTED = 0,       /**< Runs what it was started with. */
	HART_STOPPED = 1,       /**< Sleeps in the start code. */
	HART_START_PENDING = 2, /**< Was told to start and has not yet left the start code. */
};

/** What a hart is started with. Interrupts are disabled, all sources are shut off, there is no
 * stack and no trap vector yet. Returning from it is hart_stop(). */
typedef void hart_entry(uintptr_t hart, uintptr_t argument);

/** Number of the calling hart, below hart_count(). The driver also has it for the start code: hart_number, an
 * assembly function that returns it in t0 and changes nothing else. */
uint32_t hart_id(void);

/** Number of harts, hart 0 included. Valid after memory_discover(). */
uint32_t hart_count(void);

/** Bring the harts that a boot ROM keeps into the start code, where hart_start() reaches them. Called once
 * by hart 0, before the first hart_start(). Most boards reset all harts to the start code (reset_harts.c).
 * @return  false: a hart is missing or did not answer in time; starting it has no effect. */
bool hart_gather(void);

/** Start a stopped hart. It fetches its instructions again, so the code may have been written just before.
 * @param hart      1 … hart_count() - 1.
 * @param entry     Address of a hart_entry.
 * @param argument  Handed to it.
 * @return          HAL_OK: it is START_PENDING, and hart_state() will tell STARTED; HAL_ERR_INVALID_PARAM;
 *                  HAL_ERR_ALREADY_AVAILABLE: it is not stopped. */
HAL_CHECKED enum hal_status hart_start(uint32_t hart, uintptr_t entry, uintptr_t argument);

/** State of a hart, as it was a moment ago.
 * @param hart  Below hart_count(). */
enum hart_state hart_state(uint32_t hart);

/** Force a hart back into the start code, whatever it does, with interrupts off or in an endless loop: afterwards it is
 * STOPPED, and hart_start() starts it again. What it had is lost. A driver for each kind of machine (no_reset.c, mailbox.c).
 * @param hart  1 … hart_count() - 1.
 * @return      HAL_OK; HAL_ERR_UNSUPPORTED: the machine has no means for it, and the hart goes on as it was. */
HAL_CHECKED enum hal_status hart_reset(uint32_t hart);

/** Stop the calling hart: it goes back to sleep in the start code, and what it had on its stack
 * is lost. Not for hart 0. Works in every image. */
_Noreturn void hart_stop(void);

#endif /* HAL_HART_H */
