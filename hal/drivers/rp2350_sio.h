/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Single-cycle I/O block of the RP2350 (SIO), as far as its two RISC-V cores need it. rp2350_sio.c and rp2350_sio.S are
 * hal/ipi.h and the deadlines of hal/timer.h, in the place of a CLINT; time_mmio.c reads the time. rp2350_harts.c is
 * hart_gather(): core 1 sleeps in the boot ROM. rp2350_machine.c is hal/machine.h, and makes clocks and pins ready.
 */
#ifndef HAL_DRIVERS_RP2350_SIO_H
#define HAL_DRIVERS_RP2350_SIO_H

#define RP2350_SIO 0xd0000000
#define RP2350_FIFO_STATE \
	0x050 /**< Bit 0: something came from the other core; bit 1: there is room for it. */
#define RP2350_FIFO_WRITE 0x054 /**< To the other core. */
#define RP2350_FIFO_READ  0x058
#define RP2350_SOFTIRQ \
	0x1a0 /**< Bit h raises the software interrupt of core h, bit 8 + h takes it back. */
#define RP2350_MTIME_CTRL 0x1a4
#define RP2350_MTIME      0x1b0 /**< Two words, low first. */
#define RP2350_MTIMECMP   0x1b8 /**< Two words, each core has its own. */

#ifndef __ASSEMBLER__

#include "hal/mmio.h"

/** A register of the block, by its offset. */
static inline uint32_t *rp2350_sio(uintptr_t offset)
{
	return mmio_word(RP2350_SIO, offset);
}

/** Wake the other core, if it waits in the boot ROM for a message (h3.unblock). In rp2350_sio.S. */
void rp2350_unblock(void);

#endif /* __ASSEMBLER__ */

#endif /* HAL_DRIVERS_RP2350_SIO_H */
