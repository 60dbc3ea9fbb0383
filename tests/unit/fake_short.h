/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Turns of the whole scheduler, and whether the short way does all of them.
 */
#ifndef TESTS_UNIT_FAKE_SHORT_H
#define TESTS_UNIT_FAKE_SHORT_H

#include <stdbool.h>
#include <stdint.h>

/* Post SUBMIT of the TMD at an address, of generation 0. Nobody has looked yet when this returns. */
void fake_post_submit(uint32_t channel, uint32_t tag, uint64_t address);

/* A turn of the loop is woken. Whether the short way does all of it; if not, the stages have still to do it. */
bool fake_short_turn(void);

/* The same, and the stages do what is left. */
bool fake_is_short(void);

#endif /* TESTS_UNIT_FAKE_SHORT_H */
