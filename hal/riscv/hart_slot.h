/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The words through which a sleeping hart learns what to run. All zero is "stopped".
 * start.S knows this layout.
 */
#ifndef HAL_RISCV_HART_SLOT_H
#define HAL_RISCV_HART_SLOT_H

#define HART_SLOT_SHIFT    5 /**< 32 bytes for each hart, on both register widths. */
#define HART_SLOT_BYTES    (1 << HART_SLOT_SHIFT)
#define HART_SLOT_ASKED    0
#define HART_SLOT_TAKEN    4
#define HART_SLOT_STOPPED  8
#define HART_SLOT_ENTRY    16
#define HART_SLOT_ARGUMENT (16 + __SIZEOF_POINTER__)

/** Where hart_stop() enters an image that begins with start.S. */
#define HART_STOP_OFFSET 4

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

struct hart_slot {
	uint32_t asked;   /**< Starts asked for. Written by hart_start(). */
	uint32_t taken;   /**< `asked` when the hart last woke up. Written by the hart. */
	uint32_t stopped; /**< `taken` when it last went to sleep. Written by the hart. */
	uint32_t reserved;
	uintptr_t entry;    /**< Written by hart_start(), while the hart sleeps. */
	uintptr_t argument; /**< Written by hart_start(), while the hart sleeps. */
#if __SIZEOF_POINTER__ == 4
	uint32_t padding[2];
#endif
};

_Static_assert(sizeof(struct hart_slot) == HART_SLOT_BYTES, "start.S shifts by HART_SLOT_SHIFT");
_Static_assert(offsetof(struct hart_slot, asked) == HART_SLOT_ASKED, "start.S");
_Static_assert(offsetof(struct hart_slot, taken) == HART_SLOT_TAKEN, "start.S");
_Static_assert(offsetof(struct hart_slot, stopped) == HART_SLOT_STOPPED, "start.S");
_Static_assert(offsetof(struct hart_slot, entry) == HART_SLOT_ENTRY, "start.S");
_Static_assert(offsetof(struct hart_slot, argument) == HART_SLOT_ARGUMENT, "start.S");

/** One for each hart. Placed by linker/cp.ld.S, cleared with the static data. */
extern struct hart_slot hart_slots[];

#endif /* __ASSEMBLER__ */

#endif /* HAL_RISCV_HART_SLOT_H */
