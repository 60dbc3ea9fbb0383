/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Platform-level interrupt controller: what hart 0 in machine mode, context 0, needs of it.
 */
#ifndef HAL_DRIVERS_PLIC_H
#define HAL_DRIVERS_PLIC_H

#include <stdint.h>

#include "hal/mmio.h"

#define PLIC_ENABLE    0x002000u
#define PLIC_THRESHOLD 0x200000u
#define PLIC_CLAIM     0x200004u

/** Let one source through. The threshold is written last, because some controllers look for what is pending already
 * only at that write. */
static inline void plic_enable(uintptr_t plic, uint32_t source)
{
	uint32_t *enable = mmio_word(plic, PLIC_ENABLE + source / 32 * 4);

	mmio_write32(enable, mmio_read32(enable) | 1u << source % 32);
	mmio_write32(mmio_word(plic, source * 4), 1); /* priority */
	mmio_write32(mmio_word(plic, PLIC_THRESHOLD), 0);
}

/** Take the interrupt that is pending. @return  Its source, or 0. */
static inline uint32_t plic_claim(uintptr_t plic)
{
	return mmio_read32(mmio_word(plic, PLIC_CLAIM));
}

/** Say that the interrupt was served. */
static inline void plic_complete(uintptr_t plic, uint32_t source)
{
	mmio_write32(mmio_word(plic, PLIC_CLAIM), source);
}

#endif /* HAL_DRIVERS_PLIC_H */
