/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Units as fibers: the firmware's code runs unchanged, and at each access to a shared word
 * (hal/atomic.h calls atomic_step()) another unit may go on. A seeded generator chooses which, so a
 * case can be repeated. Links in place of the real machine's harts.
 */
#ifndef TESTS_UNIT_PULL_FIBERS_H
#define TESTS_UNIT_PULL_FIBERS_H

#include <stdbool.h>
#include <stdint.h>

#define FIBERS_MOST 65u /**< Fibers of a case. */

/** Random numbers, seeded; the same for the world and for the order of the fibers. */
void random_seed(uint64_t seed);
uint64_t random_word(void);
/** 0 … below - 1. */
uint64_t random_below(uint64_t below);

/** Make `count` fibers that run body(number), with equal speeds and without deaths. */
void fibers_make(uint32_t count, void (*body)(uint32_t fiber));

/** Relative speed of a fiber, 1 … 256. */
void fibers_speed(uint32_t fiber, uint32_t speed);

/** The fiber runs for that many steps, and then never again. */
void fibers_die_after(uint32_t fiber, uint64_t steps);

/** Whether it died. */
bool fibers_dead(uint32_t fiber);

/** Run until all fibers have returned, or are dead. Accesses outside of fibers do not switch.
 * @return  false when all that are left are parked, or after too many steps. */
bool fibers_run(uint64_t most_steps);

/** Let others go on; called in a fiber. */
void fibers_step(void);

/** Do not go on before somebody calls fibers_wake(). */
void fibers_park(void);

/** Wake all that are parked. */
void fibers_wake(void);

#endif /* TESTS_UNIT_PULL_FIBERS_H */
