/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Mailbox block of the reference SoC (boards/refsoc/rtl/mailbox.rdl): what the machine is, and
 * doorbells, resets of single harts. mailbox.c is hal/doorbell.h, hal/machine.h and hart_reset(); hart_mailbox.c and hart_mailbox.S take the
 * hart's number from it. Words only.
 */
#ifndef HAL_DRIVERS_MAILBOX_H
#define HAL_DRIVERS_MAILBOX_H

#define MAILBOX_ID        0x00 /**< Reads MAILBOX_MAGIC. */
#define MAILBOX_WHOAMI    0x04 /**< Number of the hart that reads. */
#define MAILBOX_HARTS     0x08 /**< Harts of the machine. */
#define MAILBOX_RAM_BYTES 0x0c /**< Its RAM. */
#define MAILBOX_CLOCK_HZ  0x10 /**< Ticks of mtime in a second. */
#define MAILBOX_TO_CP     0x14 /**< 1: the host rang; interrupts hart 0. Write 1: take it back. */
#define MAILBOX_TO_HOST   0x18 /**< Write 1: ring the host. */
#define MAILBOX_RESET     0x1c /**< Bit h: hart h is held in reset. There is none for hart 0. */
#define MAILBOX_MAGIC     0x47474d42u

#ifndef __ASSEMBLER__

#include <stdint.h>

/** Constants of a board: where the block is. */
struct mailbox_map {
	uintptr_t address; /**< First: hart_mailbox.S reads it. */
};

_Static_assert(__builtin_offsetof(struct mailbox_map, address) == 0, "hart_mailbox.S");

extern const struct mailbox_map board_mailbox;

#endif /* __ASSEMBLER__ */

#endif /* HAL_DRIVERS_MAILBOX_H */
