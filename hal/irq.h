/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Interrupts of the calling hart.
 *
 * The loop that never loses one, and takes no traps: a source that is shut off is asked for by irq_waits() and taken back
 * before each look for work. When there is none: irq_disable(), irq_source_enable(), wait_for_interrupt(),
 * irq_source_disable(), irq_enable(). What comes between the question and the wait is pending then, and the wait ends at
 * once.
 */
#ifndef HAL_IRQ_H
#define HAL_IRQ_H

#include <stdbool.h>
#include <stdint.h>

/** Causes, as `cp_interrupt` gets them: the numbers of the privileged architecture. */
enum irq_cause {
	IRQ_CAUSE_SOFTWARE = 3,  /**< Another hart's ipi_send(), or the host's doorbell. */
	IRQ_CAUSE_TIMER = 7,     /**< The deadline of timer_set() has passed. */
	IRQ_CAUSE_EXTERNAL = 11, /**< An interrupt controller, where a board has one. */
};

/** Sources, as masks for irq_source_enable(). */
enum irq_source {
	IRQ_SOURCE_SOFTWARE = 1 << IRQ_CAUSE_SOFTWARE,
	IRQ_SOURCE_TIMER = 1 << IRQ_CAUSE_TIMER,
	IRQ_SOURCE_EXTERNAL = 1 << IRQ_CAUSE_EXTERNAL,
};

/** Take no interrupts from now on. They stay pending. */
void irq_disable(void);

/** Take interrupts from now on; those that are pending at once. */
void irq_enable(void);

/** Let sources through. They also end wait_for_interrupt(), even while interrupts are disabled.
 * @param sources  IRQ_SOURCE_ masks, ORed. */
void irq_source_enable(uint32_t sources);

/** Shut sources off.
 * @param sources  IRQ_SOURCE_ masks, ORed. */
void irq_source_disable(uint32_t sources);

/** Whether a source is pending, let through or not.
 * @param source  One IRQ_SOURCE_ mask. */
bool irq_waits(uint32_t source);

/** Sleep until an enabled source is pending. May return early: the caller looks again. */
void wait_for_interrupt(void);

#endif /* HAL_IRQ_H */
