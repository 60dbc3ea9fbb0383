/* SPDX-License-Identifier: Apache-2.0 */
/* hal/console.h of a board without a serial line. */
#include "hal/console.h"

void console_put(char character)
{
	(void)character;
}

void console_write(const char *text, size_t bytes)
{
	(void)text;
	(void)bytes;
}
