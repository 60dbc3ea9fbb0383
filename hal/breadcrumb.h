/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A few words that survive a warm restart: how far the control processor got, and the registers
 * of its last exception. They lie in the last 512 bytes of its memory, which no loader writes.
 */
#ifndef HAL_BREADCRUMB_H
#define HAL_BREADCRUMB_H

#include <stdint.h>

#include "hal/entry.h"

#define BREADCRUMB_MAGIC 0x474e4752u /**< "RGNG": the words below are ours, not what was in RAM. */

/** Written by hart 0 only. Read by whoever looks for the reason of a crash. */
struct breadcrumb {
	struct trap_frame frame; /**< Registers of the last exception; cause of all ones: none. */
	uint32_t magic;          /**< BREADCRUMB_MAGIC once the control processor has started. */
	uint32_t starts;         /**< Starts since power on, this one included. */
	uint32_t step;           /**< Step of the last breadcrumb_drop(). */
	uint32_t last_step;      /**< The same in the run before this one. */
};

extern struct breadcrumb hal_breadcrumb;

/** Begin a run: count it and keep the step of the run before, or set everything up after power on. Called once, first
 * thing in cp_main(). The frame stays as it is for the caller to look at. */
void breadcrumb_begin(void);

/** Say how far the run has got.
 * @param step  The caller's numbers, from 1. */
void breadcrumb_drop(uint32_t step);

#endif /* HAL_BREADCRUMB_H */
