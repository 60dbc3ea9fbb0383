/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the calling hart's core can do.
 */
#ifndef HAL_CPU_H
#define HAL_CPU_H

#include <stdbool.h>
#include <stdint.h>

/** Abilities of a core, as a mask. */
enum cpu_feature {
	CPU_ATOMIC = 1 << 0,     /**< A */
	CPU_COMPRESSED = 1 << 1, /**< C */
	CPU_MULDIV = 1 << 2,     /**< M */
	CPU_FLOAT = 1 << 3,      /**< F */
	CPU_DOUBLE = 1 << 4,     /**< D */
	CPU_USER = 1 << 6,       /**< User mode. Tried out, not taken from misa. */
};

/** Bits of a register: 32 or 64. */
uint32_t cpu_xlen(void);

/** CPU_ masks. On a core that does not say (misa is zero, or the board says so): what the firmware
 * was built for. Interrupts are disabled. */
uint32_t cpu_features(void);

/** Try out what the image was built for and could not do without. Interrupts are disabled. Compressed instructions
 * are not tried: without them there is no way to get here. Atomic instructions do not count, because nothing needs
 * them.
 * @return  false when the core lacks something. */
bool cpu_fits_image(void);

/** Let this hart use floating-point registers. Interrupts are disabled.
 * @return  false when it has none. */
bool cpu_enable_float(void);

/** Start the cycle and instruction counters and let user mode read them and the time. A core
 * without them is left as it is. Interrupts are disabled. */
void cpu_open_counters(void);

#endif /* HAL_CPU_H */
