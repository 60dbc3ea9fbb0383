/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The watchdog of the SMs: finds an SM that has CTAs and takes no interrupts, and resets it.
 *
 * An SM counts `health` at each of its traps. A timer looks LOOKS times in `watch_ms` of CONFIG, and only while CTAs are
 * out. An SM whose count stands still is interrupted; one that is interrupted at LOOKS looks, and does not count for a
 * period after the last, is *hung*, and goes the way of RESET_SM (reset.h). A kernel that runs for long is interrupted, so
 * its SM counts. The looks are counted, not the time: when all of the machine stands still for a while, no SM is blamed.
 *
 * Nothing is done when CTAs are launched or end. While its timer is not set, a bit of `due_stages` keeps turns of the loop
 * from the short way (express/express.h), and the end of the first turn that leaves CTAs out sets it. So the first task
 * after a rest takes the long way, and all others cost nothing.
 */
#ifndef FIRMWARE_CP_RECOVER_WATCH_H
#define FIRMWARE_CP_RECOVER_WATCH_H

#include <stdint.h>

#include "firmware/cp/base/part.h"

/** CONFIG.watch_ms at boot. An SM takes an interrupt within milliseconds, since only its runtime keeps them off; but a
 * machine that simulates many SMs on few processors, and has other work, may leave one alone for many seconds. */
#define WATCH_MS (part_is_here(GG_FEATURE_WATCHDOG) ? 60000u : 0u)

#define WATCH_MOST_MS (part_is_here(GG_FEATURE_WATCHDOG) ? 3600000u : 0u) /**< Its largest value. */

/** Initialize: no SM was looked at. */
void watch_init(void);

/** Set for how long an SM may take no interrupt.
 * @param ms  Up to WATCH_MOST_MS milliseconds; 0: it is not looked. */
void watch_set(uint32_t ms);

/** The timer has interrupted. For the interrupt handler, after it has turned the timer off. */
void watch_tick(void);

/** Look at the SMs if it is time. DUE_WATCH is set. */
void watch_run(void);

/** Set the timer: CTAs are out. DUE_TIMER is set. */
void watch_arm(void);

/** When the timer has to interrupt at the latest, in ticks; UINT64_MAX: it need not. For those who set it for something
 * else. */
uint64_t watch_deadline(void);

#endif /* FIRMWARE_CP_RECOVER_WATCH_H */
