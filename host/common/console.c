/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* memfd_create */
#include "host/common/console.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/common/deadline.h"

int console_reopen(int descriptor)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
	return open(path, O_RDONLY | O_CLOEXEC);
}

int console_create(struct console *console)
{
	console->readers = -1;
	console->memory = NULL;
	console->descriptor = memfd_create("ganger-console", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (console->descriptor < 0 ||
	    ftruncate(console->descriptor, sizeof(struct console_memory)) != 0 ||
	    fcntl(console->descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
		return GG_ERR_IO;
	}
	console->readers = console_reopen(console->descriptor);
	void *memory = mmap(NULL, sizeof(struct console_memory), PROT_READ | PROT_WRITE, MAP_SHARED,
			    console->descriptor, 0);

	if (memory == MAP_FAILED || console->readers < 0) {
		return GG_ERR_IO;
	}
	console->memory = memory;
	return GG_OK;
}

void console_append(struct console *console, const char *data, size_t bytes)
{
	struct console_memory *memory = console->memory;
	size_t place = (size_t)(memory->total % CONSOLE_BYTES);
	size_t first = CONSOLE_BYTES - place < bytes ? CONSOLE_BYTES - place : bytes;

	memcpy(memory->bytes + place, data, first);
	memcpy(memory->bytes, data + first, bytes - first);
	__atomic_store_n(&memory->total, memory->total + bytes, __ATOMIC_RELEASE);
}

uint64_t console_stood(const struct console_memory *console)
{
	const uint64_t stood = __atomic_load_n(&console->stood, __ATOMIC_RELAXED);

	return stood & CONSOLE_STANDS ? deadline_clock() - (stood & ~CONSOLE_STANDS) : stood;
}

void console_stand(struct console *console, bool stands)
{
	const uint64_t stood = console_stood(console->memory);

	/* Time that is counted already is counted from further back. */
	__atomic_store_n(&console->memory->stood,
			 stands ? CONSOLE_STANDS | (deadline_clock() - stood) : stood,
			 __ATOMIC_RELAXED);
}

static uint64_t total_of(const struct console_memory *console)
{
	return __atomic_load_n(&console->total, __ATOMIC_ACQUIRE);
}

/** The oldest byte that is still there. */
static uint64_t oldest(uint64_t total)
{
	return total > CONSOLE_KEPT ? total - CONSOLE_KEPT : 0;
}

size_t console_copy(const struct console_memory *console, uint64_t *next, char *text, size_t size)
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
