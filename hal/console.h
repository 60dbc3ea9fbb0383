/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Text for a person who watches the board: boot messages and panics. It never waits long: characters that the line
 * does not take in time are dropped. Not for use while tasks run.
 */
#ifndef HAL_CONSOLE_H
#define HAL_CONSOLE_H

#include <stddef.h>

/** Write one character. */
void console_put(char character);

/** Write characters.
 * @param text   Need not end with a zero.
 * @param bytes  Number of characters. */
void console_write(const char *text, size_t bytes);

#endif /* HAL_CONSOLE_H */
