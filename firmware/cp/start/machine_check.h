/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Whether the machine is the one that the image was built for: looked at before anything else is done.
 */
#ifndef FIRMWARE_CP_START_MACHINE_CHECK_H
#define FIRMWARE_CP_START_MACHINE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

#define MACHINE_CHECK_FINISH 64u /**< The finisher's code is this and the fault. */

/** What is wrong. */
struct machine_finding {
	enum gg_board_fault fault; /**< 0: nothing. */
	uintptr_t value;           /**< What was found instead. */
};

/** Look at core, memory, harts and time. Called once, after memory_discover(), with interrupts disabled. */
struct machine_finding machine_check(void);

/** Say it on the console, in the ERROR block and the state if there are such blocks (device.error,
 * device.cap), and with the finisher. */
_Noreturn void machine_refuse(const struct machine_finding *finding);

#endif /* FIRMWARE_CP_START_MACHINE_CHECK_H */
