/* SPDX-License-Identifier: Apache-2.0 */
#include "host/broker/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

bool number_parse(const char *text, uint64_t most, uint64_t *number)
{
	char *end = NULL;

	errno = 0;
	unsigned long long value = strtoull(text, &end, 0);

	if (errno || *end != '\0' || !isdigit((unsigned char)*text) || value > most) {
		return false;
	}
	*number = value;
	return true;
}
