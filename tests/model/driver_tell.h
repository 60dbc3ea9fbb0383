/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The visible state of the device after a turn, as words: slots, SM state, new packets, answers,
 * completions. tests/model/device.py reads them.
 */
#ifndef TESTS_MODEL_DRIVER_TELL_H
#define TESTS_MODEL_DRIVER_TELL_H

#include <stdint.h>

/** The assignment that came to each SM last, with a packet or a wave. */
extern uint32_t tell_assigned[];

/** A new device: nothing has been told. */
void tell_begin(void);

/** The rings of an SM begin anew, because its hart was started again. */
void tell_forget(uint32_t sm);

/** Write the state. New packets, answers and completions are written once, and count as taken.
 * @return  Behind the last word. */
uint32_t *tell(uint32_t *out);

#endif /* TESTS_MODEL_DRIVER_TELL_H */
