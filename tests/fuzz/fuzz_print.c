/* SPDX-License-Identifier: Apache-2.0 */
/* Prints of kernels: up to the first zero the bytes are the format string, behind it the records.
 * sources: host/lib/core/print_text.c */
#include <stdlib.h>
#include <string.h>

#include "host/lib/core/print_text.h"
#include "tests/fuzz/fuzz.h"

#define TEXT_MOST (16u << 20) /* bytes: far more than any of these records may become */

static const char *the_format(void *what, uint64_t address, size_t most)
{
	return address == 0 || strlen(what) >= most ? NULL : what;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const size_t length = strnlen((const char *)data, bytes);
	const size_t skip = length < bytes ? length + 1 : length;
	char *format = calloc(1, length + 1);
	uint8_t *records = malloc(bytes - skip + 1);
	struct text text = { 0 };

	if (bytes > 0) {
		memcpy(format, data, length);
		memcpy(records, data + skip, bytes - skip);
	}
	print_text(&text, records, bytes - skip, the_format, format);
	if (text.bytes > TEXT_MOST)
		abort();
	free(text.at);
	free(records);
	free(format);
	return 0;
}
