/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/print.h"

#include <stdlib.h>
#include <string.h>

#include "host/lib/core/print_text.h"
#include "host/lib/mailbox/memory.h"

#define FORMAT_MAX  4096u /* longest format string */
/* bytes read at a time: most format strings are short, and some lines are slow */
#define FORMAT_STEP 64u

/** Where format strings are looked for. */
struct finder {
	const struct device *device;
	const struct context *context;
	char format[FORMAT_MAX + 1]; /* a copy, because kernels may still write to the original */
};

/** Finds a format string. A kernel could name any address, so only memory of its own context is
 * read. */
static const char *find_format(void *what, uint64_t address, size_t most)
{
	struct finder *finder = what;
	const uint64_t offset = address - finder->context->start;
	uint64_t bytes = finder->context->bytes - offset;
	uint64_t at = 0;

	if (address < finder->context->start || offset >= finder->context->bytes)
		return NULL;
	bytes = bytes < most ? bytes : most;
	bytes = bytes < FORMAT_MAX ? bytes : FORMAT_MAX;
	while (at < bytes) {
		const uint64_t step = bytes - at < FORMAT_STEP ? bytes - at : FORMAT_STEP;

		if (memory_read(finder->device, address + at, finder->format + at, step) != GG_OK)
			return NULL;
		if (memchr(finder->format + at, 0, step))
			return finder->format;
		at += step;
	}
	finder->format[bytes] = 0;
	return finder->format;
}

void print_take(struct device *device, struct task *task)
{
	struct finder finder = { .device = device, .context = task->context };
	uint32_t bytes = 0;
	void *records;

	if (task->print_bytes == 0 || !task->handle || !task->context)
		return;
	if (memory_read(device, task->print, &bytes, sizeof(bytes)) != GG_OK)
		return;
	if (bytes > task->print_bytes)
		bytes = task->print_bytes;
	if (bytes == 0)
		return;
	records = malloc(bytes);
	task->output.missing = !records;
	if (!records)
		return;
	if (memory_read(device, task->print + sizeof(bytes), records, bytes) == GG_OK)
		print_text(&task->output, records, bytes, find_format, &finder);
	free(records);
}
