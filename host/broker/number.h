/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Numbers in text.
 */
#ifndef HOST_BROKER_NUMBER_H
#define HOST_BROKER_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/** Reads a number that is all of a text: decimal, 0x… or 0….
 * @param[out] number  Written only when the result is true.
 * @return false: it is not a number, or larger than `most`. */
bool number_parse(const char *text, uint64_t most, uint64_t *number);

#endif /* HOST_BROKER_NUMBER_H */
