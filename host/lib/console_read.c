/* SPDX-License-Identifier: Apache-2.0 */
#include "host/broker/console.h"

#include "host/lib/device.h"

static uint64_t total_of(const struct console_memory *console)
{
	return __atomic_load_n(&console->total, __ATOMIC_ACQUIRE);
}

/** The oldest byte that is still there. */
static uint64_t oldest(uint64_t total)
{
	return total > CONSOLE_KEPT ? total - CONSOLE_KEPT : 0;
}

/** Copies from `next` on; what was overwritten meanwhile is skipped. The lock is held. */
static size_t copy(const struct console_memory *console, uint64_t *next, char *text, size_t size)
{
	uint64_t end = total_of(console);
	size_t count = 0;

	if (*next < oldest(end))
		*next = oldest(end);
	while (count < size && *next < end) {
		text[count] = console->bytes[*next % CONSOLE_BYTES];
		count++;
		(*next)++;
	}
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return *next - count < oldest(total_of(console)) ? 0 : count;
}

enum gg_status gg_console_read(struct gg_device *device, char *text, size_t size, size_t *bytes)
{
	const struct console_memory *console = gg_transport_console(device->transport);

	*bytes = 0;
	if (!console)
		return GG_OK;
	(void)pthread_mutex_lock(&device->lock);
	*bytes = copy(console, &device->console_next, text, size);
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}
