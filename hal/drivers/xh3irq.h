/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Interrupt controller inside of a Hazard3 core (Xh3irq): what hart 0 needs of it. Sources are levels; each that is let
 * through raises the external interrupt, so a handler has nothing to claim or to complete.
 */
#ifndef HAL_DRIVERS_XH3IRQ_H
#define HAL_DRIVERS_XH3IRQ_H

#include <stdint.h>

#include "hal/riscv/csr.h"

#define XH3IRQ_ENABLE \
	0xbe0 /**< meiea: windows of 16 sources; number of the window in bits 0 to 4, sources from bit 16. */
#define XH3IRQ_CONTEXT \
	0xbe5             /**< meicontext: a level of priority below which sources are held back. */
#define XH3IRQ_WINDOWS 4u /**< Of the RP2350: 52 sources. */

/** Let one source through on the calling hart, and no other: a boot ROM may have left some open. What was pending when the
 * firmware was started again in the middle of a handler holds nothing back afterwards. */
static inline void xh3irq_enable_only(uint32_t source)
{
	for (uint32_t window = 0; window < XH3IRQ_WINDOWS; window++) {
		const uint32_t mask = window == source / 16 ? 1u << source % 16 : 0;

		csr_write(XH3IRQ_ENABLE, mask << 16 | window);
	}
	csr_write(XH3IRQ_CONTEXT, 0);
}

#endif /* HAL_DRIVERS_XH3IRQ_H */
