/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Machine check: whether the machine is the one that the image was built for. Done at the start of boot.
 */
#ifndef FIRMWARE_CP_START_MACHINE_CHECK_H
#define FIRMWARE_CP_START_MACHINE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

#define MACHINE_CHECK_FINISH 64u /**< The exit code of a refusal is this plus the fault. */

/** Result of the check. */
struct machine_finding {
	enum gg_board_fault fault; /**< What is wrong; 0: nothing. */
	uintptr_t value;           /**< What was found instead: harts, bytes or ticks; or 0. */
};

/** Check the core, discover the memory (memory_discover()), and check RAM, harts and timer. Called once, before anything
 * else that may need an instruction which the core lacks, with interrupts disabled.
 * @param device_tree  Address of the device tree, or 0.
 * @return  The first fault that was found. After that of the core nothing is known of the memory. */
struct machine_finding machine_check(uintptr_t device_tree);

/** Refuse the machine: report the finding on the console, in the ERROR block and the capability block as far as
 * they exist (device.error, device.cap), and end with the finisher's exit code. */
_Noreturn void machine_refuse(const struct machine_finding *finding);

#endif /* FIRMWARE_CP_START_MACHINE_CHECK_H */
