/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* strnlen */
#include "host/lib/transport/transport_link.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/common/deadline.h"
#include "host/lib/transport/link.h"
#include "host/lib/transport/serial.h"
#include "host/lib/transport/transport_file.h"

#define MAPPED      ",mmap:" /* what follows the port when memory is mapped */
#define PLACE_BYTES 512u

struct link_transport {
	struct transport base;
	struct link link; /**< Guarded by the lock. */
	/** An event descriptor: wakes the thread that waits, when the device's ring came with an
	 * answer. */
	int woken;
};

/** Ends a request: wakes the thread that waits if the device's ring came along with the answer. The
 * lock is held. */
static int finish(struct link_transport *mine, int status)
{
	const uint64_t one = 1;

	if (mine->link.rang || mine->link.lost)
		(void)!write(mine->woken, &one, sizeof(one));
	mine->base.lost = mine->link.lost;
	return status;
}

static int copy_out(struct transport *transport, uint64_t offset, void *data, uint64_t bytes)
{
	struct link_transport *mine = (struct link_transport *)transport;
	int status;

	(void)pthread_mutex_lock(&transport->lock);
	status = finish(mine, link_read(&mine->link, mine->link.ram + offset, data, bytes));
	(void)pthread_mutex_unlock(&transport->lock);
	if (status != GG_OK)
		memset(data, 0, bytes);
	return status;
}

static int copy_in(struct transport *transport, uint64_t offset, const void *data, uint64_t bytes)
{
	struct link_transport *mine = (struct link_transport *)transport;
	int status;

	(void)pthread_mutex_lock(&transport->lock);
	status = finish(mine, link_write(&mine->link, mine->link.ram + offset, data, bytes));
	(void)pthread_mutex_unlock(&transport->lock);
	return status;
}

static int ring(struct transport *transport)
{
	struct link_transport *mine = (struct link_transport *)transport;
	int status;

	(void)pthread_mutex_lock(&transport->lock);
	status = finish(mine, link_ring(&mine->link));
	(void)pthread_mutex_unlock(&transport->lock);
	return status;
}

/** Whether the device has rung since the last call. @return GG_OK, GG_ERR_TIMEOUT (it has not), …. */
static int take_ring(struct link_transport *mine)
{
	int status;

	(void)pthread_mutex_lock(&mine->base.lock);
	status = finish(mine, link_listen(&mine->link));
	if (status == GG_OK && !mine->link.rang)
		status = GG_ERR_TIMEOUT;
	mine->link.rang = false;
	(void)pthread_mutex_unlock(&mine->base.lock);
	return status;
}

static int await_ring(struct transport *transport, uint32_t timeout_ms)
{
	struct link_transport *mine = (struct link_transport *)transport;
	const uint64_t deadline = deadline_after(timeout_ms);
	int status = take_ring(mine);

	while (status == GG_ERR_TIMEOUT && deadline_left(deadline, 1) > 0) {
		struct pollfd waits[2] = {
			{ .fd = serial_descriptor(&mine->link.line), .events = POLLIN },
			{ .fd = mine->woken, .events = POLLIN },
		};
		uint64_t count;

		if (poll(waits, 2, (int)deadline_left(deadline, INT32_MAX)) < 0 && errno != EINTR)
			return GG_ERR_IO;
		if (waits[1].revents != 0)
			(void)!read(mine->woken, &count, sizeof(count));
		status = take_ring(mine);
	}
	return status;
}

static const char *message_of(const struct transport *transport)
{
	return ((const struct link_transport *)transport)->link.message;
}

static void tell_place(const struct transport *transport, struct place *place)
{
	const struct link *link = &((const struct link_transport *)transport)->link;

	place->ram = link->ram;
	place->ram_bytes = link->ram_bytes;
	place->window = link->window;
}

static void close_line(struct transport *transport)
{
	struct link_transport *mine = (struct link_transport *)transport;

	if (mine->link.line.what)
		serial_close(&mine->link.line);
	if (mine->woken >= 0)
		(void)close(mine->woken);
}

/** The parent keeps the line, whatever it was set to. */
static void leave_line(struct transport *transport)
{
	const struct link_transport *mine = (const struct link_transport *)transport;

	(void)close(serial_descriptor(&mine->link.line));
	(void)close(mine->woken);
}

static const struct transport_kind link_kind = {
	.bytes = sizeof(struct link_transport),
	.read = copy_out,
	.write = copy_in,
	.ring = ring,
	.wait = await_ring,
	.message = message_of,
	.place = tell_place,
	.close = close_line,
	.forked = leave_line,
};

/** Begins a session over a line that is open. */
static int begin(struct link_transport *mine, const struct link_line *line, const char *place,
		 char *message, uint64_t size)
{
	/* The seed differs between two hosts, and between two starts of one host. */
	int status = link_open(&mine->link, line,
			       (uint32_t)deadline_now() * 2654435761u ^ (uint32_t)getpid() << 16);

	mine->woken = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	mine->base.bytes = mine->link.ram_bytes;
	if (status == GG_OK && mine->woken < 0)
		status = GG_ERR_IO;
	if (status != GG_OK)
		(void)snprintf(message, size, "serial:%s: %s", place, mine->link.message);
	return status;
}

int transport_of_link(struct transport **transport, const char *place, char *message, uint64_t size)
{
	const char *window = strstr(place, MAPPED);
	char port[PLACE_BYTES];
	struct transport *made;
	struct link_line line;
	int status;

	if ((size_t)snprintf(port, sizeof(port), "%.*s",
			     window ? (int)(window - place) : (int)strnlen(place, sizeof(port)),
			     place) >= sizeof(port)) {
		(void)snprintf(message, size, "the name of the port is too long");
		return GG_ERR_ARGUMENT;
	}
	made = transport_new(&link_kind);
	if (!made)
		return GG_ERR_NO_MEMORY;
	((struct link_transport *)made)->woken = -1;
	status = serial_open(&line, port, message, size);
	if (status == GG_OK)
		status = begin((struct link_transport *)made, &line, port, message, size);
	if (status == GG_OK && window)
		status = transport_map_window(made, window + strlen(MAPPED), made->bytes, message,
					      size);
	if (status != GG_OK)
		transport_close(made);
	else
		*transport = made;
	return status;
}
