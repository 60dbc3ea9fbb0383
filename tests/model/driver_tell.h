/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What is to be seen of the device after a turn, as words: slots, SM state, new packets, answers,
 * completions. tests/model/device.py reads them.
 */
#ifndef TESTS_MODEL_DRIVER_TELL_H
#define TESTS_MODEL_DRIVER_TELL_H

#include <stdint.h>

/** A new device: nothing has been told. */
void tell_begin(void);

/** Tell all; packets, answers and completions once, and they are taken with that.
 * @return  Behind the last word. */
uint32_t *tell(uint32_t *out);

#endif /* TESTS_MODEL_DRIVER_TELL_H */
