/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Time of the machine, the same for all harts, and one deadline for each hart.
 */
#ifndef HAL_TIMER_H
#define HAL_TIMER_H

#include <stdint.h>

/** Ticks since some moment before the firmware started. Never goes back. */
uint64_t timer_now(void);

/** Ticks in a second. A constant of the board. */
uint32_t timer_hz(void);

/** Have a timer interrupt of this hart at a deadline; replaces the one before. A deadline that
 * has passed interrupts at once. Lets IRQ_SOURCE_TIMER through. A handler compares timer_now() with
 * its deadline: some timers interrupt once without cause when they are first enabled.
 * @param deadline  Ticks, as timer_now() counts them. */
void timer_set(uint64_t deadline);

/** Turn the timer interrupt off: shuts IRQ_SOURCE_TIMER off. This is also how a handler takes its interrupt back. */
void timer_cancel(void);

#endif /* HAL_TIMER_H */
