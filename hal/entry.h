/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the start code and the trap entry of hal/riscv call: the control processor's firmware defines cp_main(),
 * cp_interrupt() and cp_panic(). And the way back into the start code.
 */
#ifndef HAL_ENTRY_H
#define HAL_ENTRY_H

#include <stdint.h>

/** Registers at an exception. The trap entry writes it; hal/riscv/start.S knows the layout. */
struct trap_frame {
	uintptr_t x[32]; /**< x0 … x31; x[0] is 0. */
	uintptr_t pc;    /**< mepc: the instruction that failed. */
	uintptr_t cause; /**< mcause. */
	uintptr_t value; /**< mtval: the address or the instruction, or 0. */
	uintptr_t state; /**< mstatus. */
};

/** The control processor's program. Static data is ready, interrupts are disabled.
 * @param hart  0.
 * @param dtb   Address of the device tree, or what the boot loader left there: for
 *              memory_discover(). */
_Noreturn void cp_main(uintptr_t hart, uintptr_t dtb);

/** An interrupt, with interrupts disabled, on the stack of what it interrupted. The entry and the
 * exit take 41 instructions, so this should take few.
 * @param cause  enum irq_cause. */
void cp_interrupt(uint32_t cause);

/** An exception, which is a bug of the firmware. It runs on a stack of its own, with interrupts disabled. An
 * exception inside it puts the hart to sleep forever and leaves the first frame as it was.
 * @param frame  Stays where it is, also over a warm restart (hal/breadcrumb.h). */
_Noreturn void cp_panic(const struct trap_frame *frame);

/** Run the control processor's program again from its start, from anywhere and on any stack. Interrupts are off, its
 * sources shut off; all data is as at the first start, except variables that are HAL_KEPT (hal/kept.h) and the slots of the
 * harts, so it is known which of them run. cp_main() gets no device tree: what lay there may be the host's memory now. */
_Noreturn void hal_restart(void);

#endif /* HAL_ENTRY_H */
