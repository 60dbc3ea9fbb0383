/* SPDX-License-Identifier: Apache-2.0 */
/* A device over a line of bytes. Requests of several threads come one after the other. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/lib/deadline.h"
#include "host/lib/serial.h"
#include "host/lib/transport_kind.h"

int transport_link_open(struct gg_transport **transport, const char *place, char *message,
			uint64_t size)
{
	struct gg_transport *made = transport_new(TRANSPORT_LINK);
	struct link_line line;
	int status = GG_ERR_NO_MEMORY;

	if (!made)
		return status;
	status = serial_open(&line, place, message, size);
	if (status != GG_OK) {
		gg_transport_close(made);
		return status;
	}
	/* Two hosts, and two starts of one, do not have the same number. */
	status = link_open(&made->link, &line,
			   (uint32_t)deadline_now() * 2654435761u ^ (uint32_t)getpid() << 16);
	made->woken = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	made->bytes = made->link.ram_bytes;
	if (status == GG_OK && made->woken < 0)
		status = GG_ERR_IO;
	if (status != GG_OK) {
		(void)snprintf(message, size, "serial:%s: %s", place, made->link.message);
		gg_transport_close(made);
		return status;
	}
	*transport = made;
	return GG_OK;
}

/** After a request: tells the thread that waits what came along with the answer. The lock is held. */
static int finish(struct gg_transport *transport, int status)
{
	const uint64_t one = 1;

	if (transport->link.rang || transport->link.lost)
		(void)!write(transport->woken, &one, sizeof(one));
	transport->lost = transport->link.lost;
	return status;
}

int gg_transport_read(struct gg_transport *transport, uint64_t offset, void *data, uint64_t bytes)
{
	int status = GG_OK;

	if (transport->ram) {
		memcpy(data, transport->ram + offset, bytes);
		return GG_OK;
	}
	(void)pthread_mutex_lock(&transport->lock);
	status = finish(transport,
			link_read(&transport->link, transport->link.ram + offset, data, bytes));
	(void)pthread_mutex_unlock(&transport->lock);
	if (status != GG_OK)
		memset(data, 0, bytes);
	return status;
}

int gg_transport_write(struct gg_transport *transport, uint64_t offset, const void *data,
		       uint64_t bytes)
{
	int status = GG_OK;

	if (transport->read_only)
		return GG_ERR_BUSY;
	if (transport->ram) {
		memcpy(transport->ram + offset, data, bytes);
		return GG_OK;
	}
	(void)pthread_mutex_lock(&transport->lock);
	status = finish(transport,
			link_write(&transport->link, transport->link.ram + offset, data, bytes));
	(void)pthread_mutex_unlock(&transport->lock);
	return status;
}

int transport_link_ring(struct gg_transport *transport)
{
	int status;

	(void)pthread_mutex_lock(&transport->lock);
	status = finish(transport, link_ring(&transport->link));
	(void)pthread_mutex_unlock(&transport->lock);
	return status;
}

/** Whether the device has rung since the last time; takes that back. */
static int take_ring(struct gg_transport *transport)
{
	int status;

	(void)pthread_mutex_lock(&transport->lock);
	status = finish(transport, link_listen(&transport->link));
	if (status == GG_OK && !transport->link.rang)
		status = GG_ERR_TIMEOUT;
	transport->link.rang = false;
	(void)pthread_mutex_unlock(&transport->lock);
	return status;
}

int transport_link_wait(struct gg_transport *transport, uint32_t timeout_ms)
{
	const uint64_t deadline = deadline_after(timeout_ms);
	int status = take_ring(transport);

	while (status == GG_ERR_TIMEOUT && deadline_left(deadline, 1) > 0) {
		struct pollfd waits[2] = {
			{ .fd = serial_descriptor(&transport->link.line), .events = POLLIN },
			{ .fd = transport->woken, .events = POLLIN },
		};
		uint64_t count;

		if (poll(waits, 2, (int)deadline_left(deadline, INT32_MAX)) < 0 && errno != EINTR)
			return GG_ERR_IO;
		if (waits[1].revents != 0)
			(void)!read(transport->woken, &count, sizeof(count));
		status = take_ring(transport);
	}
	return status;
}

void transport_link_close(struct gg_transport *transport)
{
	if (transport->link.line.what)
		serial_close(&transport->link.line);
	if (transport->woken >= 0)
		(void)close(transport->woken);
}
