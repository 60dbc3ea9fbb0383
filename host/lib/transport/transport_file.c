/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* O_CLOEXEC and the like of POSIX */
#include "host/lib/transport/transport_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/common/deadline.h"

#define LOOK_MS    1u /* milliseconds between looks at a device that cannot interrupt */
#define PAGE_BYTES 4096u

#define DOORBELL_MAGIC 0x42444747u /* "GGDB": third word of a doorbell page */

struct file_transport {
	struct transport base;
	uint32_t *doorbell; /**< The two words of the doorbell, or NULL. */
	uint32_t heard;     /**< The word to the host as last seen. Guarded by the lock. */
};

/** A window of a file. */
struct window {
	char path[512];
	uint64_t offset;
	uint64_t bytes;    /**< 0: up to the end of the file. */
	uint64_t doorbell; /**< Offset of the doorbell's words, from `offset` on; 0: none. */
};

static bool take_number(const char **text, uint64_t *number)
{
	char *end = NULL;

	errno = 0;
	*number = strtoull(*text, &end, 0);
	if (errno != 0 || end == *text || **text == '-')
		return false;
	*text = end;
	return true;
}

/** Splits "FILE@OFFSET,BYTES,DOORBELL"; all but FILE may be left out, from the end on. */
static int split(const char *place, struct window *window)
{
	const char *at = strrchr(place, '@');
	const size_t length = at ? (size_t)(at - place) : strlen(place);

	memset(window, 0, sizeof(*window));
	if (length == 0 || length >= sizeof(window->path))
		return GG_ERR_ARGUMENT;
	memcpy(window->path, place, length);
	if (!at)
		return GG_OK;
	at++;
	if (!take_number(&at, &window->offset))
		return GG_ERR_ARGUMENT;
	if (*at == ',' && (at++, !take_number(&at, &window->bytes) || window->bytes == 0))
		return GG_ERR_ARGUMENT;
	if (*at == ',' && (at++, !take_number(&at, &window->doorbell) || window->doorbell == 0))
		return GG_ERR_ARGUMENT;
	if (*at != '\0' || window->offset % PAGE_BYTES != 0 || window->doorbell % 4 != 0)
		return GG_ERR_ARGUMENT;
	return GG_OK;
}

/** Finds the doorbell page that simulators put at the end of the file: it has a magic number. */
static void find_doorbell(const uint8_t *map, uint64_t mapped, struct window *window)
{
	const uint64_t last = (mapped - 1) / PAGE_BYTES * PAGE_BYTES;
	const uint32_t *words = (const uint32_t *)(const void *)(map + last);

	if (window->bytes != 0 || last == 0 || mapped - last < 16 || words[2] != DOORBELL_MAGIC ||
	    words[3] != last / PAGE_BYTES)
		return;
	window->bytes = last;
	window->doorbell = last;
}

static int map(struct transport *transport, struct window *window, uint64_t file_bytes, int file)
{
	const uint64_t most = file_bytes - window->offset;
	const uint64_t doorbell_end = window->doorbell ? window->doorbell + 8 : 0;
	uint64_t bytes = window->bytes ? window->bytes : most;

	if (bytes < doorbell_end)
		bytes = doorbell_end;
	if (bytes < window->bytes || bytes > most)
		return GG_ERR_ARGUMENT;
	if (!transport_map(transport, file, window->offset, bytes))
		return GG_ERR_IO;
	find_doorbell(transport->ram, bytes, window);
	transport->bytes = window->bytes ? window->bytes : bytes;
	return GG_OK;
}

static int open_window(struct transport *transport, struct window *window, char *message,
		       uint64_t size)
{
	const int file = open(window->path, O_RDWR | O_CLOEXEC);
	struct stat facts;
	int status = GG_ERR_NO_DEVICE;

	if (file < 0 || fstat(file, &facts) != 0) {
		(void)snprintf(message, size, "cannot open %s: %s", window->path, strerror(errno));
	} else if (S_ISREG(facts.st_mode) && (uint64_t)facts.st_size <= window->offset) {
		(void)snprintf(message, size, "%s ends before offset %llu", window->path,
			       (unsigned long long)window->offset);
	} else if (!S_ISREG(facts.st_mode) && window->bytes == 0) {
		(void)snprintf(message, size, "%s does not say how long it is: add ,BYTES",
			       window->path);
	} else {
		status = map(transport, window,
			     S_ISREG(facts.st_mode) ? (uint64_t)facts.st_size : INT64_MAX, file);
		if (status != GG_OK)
			(void)snprintf(message, size, "cannot map %s: %s", window->path,
				       status == GG_ERR_ARGUMENT ? "it ends before the window does"
								 : strerror(errno));
	}
	if (file >= 0)
		(void)close(file);
	return status;
}

/* A device without a doorbell looks at the words of its mailbox. Several threads may ring. */
static int file_ring(struct transport *transport)
{
	const struct file_transport *mine = (const struct file_transport *)transport;

	if (mine->doorbell)
		(void)__atomic_add_fetch(&mine->doorbell[0], 1, __ATOMIC_SEQ_CST);
	return GG_OK;
}

static bool was_rung(struct file_transport *mine)
{
	uint32_t count;
	bool rung;

	(void)pthread_mutex_lock(&mine->base.lock);
	count = __atomic_load_n(&mine->doorbell[1], __ATOMIC_ACQUIRE);
	rung = count != mine->heard;
	mine->heard = count;
	(void)pthread_mutex_unlock(&mine->base.lock);
	return rung;
}

static int file_wait(struct transport *transport, uint32_t timeout_ms)
{
	struct file_transport *mine = (struct file_transport *)transport;
	const uint64_t deadline = deadline_after(timeout_ms);

	if (!mine->doorbell) {
		(void)poll(NULL, 0, timeout_ms < LOOK_MS ? (int)timeout_ms : (int)LOOK_MS);
		return GG_OK;
	}
	while (!was_rung(mine)) {
		if (deadline_left(deadline, LOOK_MS) == 0)
			return GG_ERR_TIMEOUT;
		(void)poll(NULL, 0, (int)deadline_left(deadline, LOOK_MS));
	}
	return GG_OK;
}

static const struct transport_kind file_kind = {
	.bytes = sizeof(struct file_transport),
	.ring = file_ring,
	.wait = file_wait,
};

int transport_of_file(struct transport **transport, const char *place, char *message, uint64_t size)
{
	struct transport *made;
	struct window window;
	int status = split(place, &window);

	if (status != GG_OK) {
		(void)snprintf(message, size, "mmap:%s is not mmap:FILE@OFFSET[,BYTES[,DOORBELL]]",
			       place);
		return status;
	}
	made = transport_new(&file_kind);
	if (!made)
		return GG_ERR_NO_MEMORY;
	status = open_window(made, &window, message, size);
	if (status != GG_OK) {
		transport_close(made);
		return status;
	}
	if (window.doorbell) {
		struct file_transport *mine = (struct file_transport *)made;

		mine->doorbell = (uint32_t *)(void *)(made->ram + window.doorbell);
		mine->heard = __atomic_load_n(&mine->doorbell[1], __ATOMIC_ACQUIRE);
	}
	*transport = made;
	return GG_OK;
}

int transport_map_window(struct transport *transport, const char *place, uint64_t bytes,
			 char *message, uint64_t size)
{
	struct window window;
	int status = split(place, &window);

	if (status != GG_OK || window.bytes != 0) {
		(void)snprintf(message, size, "mmap:%s beside a line is not mmap:FILE[@OFFSET]",
			       place);
		return GG_ERR_ARGUMENT;
	}
	window.bytes = bytes;
	return open_window(transport, &window, message, size);
}
