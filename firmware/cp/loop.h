/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * One turn of the control processor's loop: everything, in the order in which work flows. The same
 * on the control processor and in the tests.
 */
#ifndef FIRMWARE_CP_LOOP_H
#define FIRMWARE_CP_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/** Bring all units to their first state; the map of the device and the pools are ready. */
void loop_init(void);

/** The host or SMs may have something to say: the next turn looks. */
void loop_wake(void);

/** One turn: the stages that are due, in their order (base/due.h): take in what the host and the SMs say, schedule,
 * issue, report.
 * @return  true when it has to be called again although nothing new interrupts: commands are left
 *          for the next turn, or there is room now for some that had to wait. */
bool loop_turn(void);

/** When it has to be called at the latest, in ticks; UINT64_MAX when no timer has to be set, also because the watchdog
 * has set its own. */
uint64_t loop_deadline(void);

#endif /* FIRMWARE_CP_LOOP_H */
