/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* MAP_SHARED and the like of POSIX */
#include "host/lib/transport.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/broker/console.h"
#include "host/lib/layout.h"
#include "host/lib/transport_kind.h"

struct gg_transport *transport_new(enum transport_kind kind)
{
	struct gg_transport *made = calloc(1, sizeof(*made));

	if (!made)
		return NULL;
	made->kind = kind;
	made->woken = -1;
	made->broker.socket = -1;
	for (unsigned index = 0; index < WIRE_DESCRIPTORS; index++)
		made->broker.descriptors[index] = -1;
	(void)pthread_mutex_init(&made->lock, NULL);
	return made;
}

bool transport_map(struct gg_transport *transport, int file, uint64_t offset, uint64_t bytes)
{
	void *ram = mmap(NULL, bytes, transport->read_only ? PROT_READ : PROT_READ | PROT_WRITE,
			 MAP_SHARED, file, (off_t)offset);

	if (ram == MAP_FAILED)
		return false;
	transport->ram = ram;
	transport->bytes = bytes;
	transport->mapped = bytes;
	return true;
}

static const void *map_console(int file)
{
	void *memory = file < 0 ? MAP_FAILED
				: mmap(NULL, sizeof(struct console_memory), PROT_READ, MAP_SHARED,
				       file, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* An observer's descriptors are RAM and console, in that order. */
int gg_transport_of_broker(struct gg_transport **transport, const struct gg_broker *broker,
			   char *message, uint64_t size)
{
	struct gg_broker mine = *broker;
	const bool observer = mine.descriptors[WIRE_INTERRUPT] < 0;
	const int console = mine.descriptors[observer ? WIRE_RING : WIRE_CONSOLE];
	struct gg_transport *made = transport_new(TRANSPORT_BROKER);

	if (!made) {
		gg_broker_close(&mine);
		return GG_ERR_NO_MEMORY;
	}
	made->broker = mine;
	made->read_only = observer;
	if (!transport_map(made, mine.descriptors[WIRE_RAM], 0, mine.device.ram_bytes)) {
		(void)snprintf(message, size, "cannot map the device's memory: %s",
			       strerror(errno));
		gg_transport_close(made);
		return GG_ERR_IO;
	}
	made->console = map_console(console);
	*transport = made;
	return GG_OK;
}

int gg_transport_of_uri(struct gg_transport **transport, const char *uri, char *message,
			uint64_t size)
{
	if (strncmp(uri, "mmap:", 5) == 0)
		return transport_file_open(transport, uri + 5, message, size);
	if (strncmp(uri, "serial:", 7) == 0)
		return transport_link_open(transport, uri + 7, message, size);
	(void)snprintf(message, size, "%s is neither mmap:FILE@OFFSET nor serial:PORT", uri);
	return GG_ERR_UNSUPPORTED;
}

uint8_t *gg_transport_ram(const struct gg_transport *transport, uint64_t *bytes)
{
	*bytes = transport->bytes;
	return transport->ram;
}

bool gg_transport_place(const struct gg_transport *transport, struct place *place)
{
	if (transport->kind != TRANSPORT_LINK)
		return false;
	place->ram = transport->link.ram;
	place->ram_bytes = transport->link.ram_bytes;
	place->window = transport->link.window;
	return true;
}

bool gg_transport_read_only(const struct gg_transport *transport)
{
	return transport->read_only;
}

const void *gg_transport_console(const struct gg_transport *transport)
{
	return transport->console;
}

const char *gg_transport_message(const struct gg_transport *transport)
{
	if (transport->kind == TRANSPORT_LINK)
		return transport->link.message;
	return transport->lost ? transport->broker.message : "";
}

bool gg_transport_lost(struct gg_transport *transport)
{
	(void)pthread_mutex_lock(&transport->lock);
	if (transport->kind == TRANSPORT_BROKER && !transport->lost &&
	    gg_broker_lost(&transport->broker) != 0)
		transport->lost = true;
	const bool lost = transport->lost;

	(void)pthread_mutex_unlock(&transport->lock);
	return lost;
}

static int broker_ring(struct gg_transport *transport)
{
	const uint64_t one = 1;

	/* EAGAIN: so many rings are on their way that one more says nothing */
	if (write(transport->broker.descriptors[WIRE_RING], &one, sizeof(one)) !=
		    (ssize_t)sizeof(one) &&
	    errno != EAGAIN)
		return GG_ERR_IO;
	return GG_OK;
}

int gg_transport_ring(struct gg_transport *transport)
{
	if (transport->read_only)
		return GG_ERR_UNSUPPORTED;
	if (transport->kind == TRANSPORT_BROKER)
		return broker_ring(transport);
	return transport->kind == TRANSPORT_FILE ? transport_file_ring(transport)
						 : transport_link_ring(transport);
}

static int broker_wait(struct gg_transport *transport, uint32_t timeout_ms)
{
	const int interrupt = transport->broker.descriptors[WIRE_INTERRUPT];
	struct pollfd waits[2] = { { .fd = transport->broker.socket, .events = POLLIN },
				   { .fd = interrupt, .events = POLLIN } };
	uint64_t count;
	const int ready = poll(waits, 2, timeout_ms > INT32_MAX ? INT32_MAX : (int)timeout_ms);

	if (ready < 0)
		return errno == EINTR ? GG_OK : GG_ERR_IO;
	if (waits[0].revents != 0 && gg_transport_lost(transport))
		return GG_ERR_DEVICE_LOST;
	if (waits[1].revents != 0)
		(void)!read(interrupt, &count, sizeof(count));
	return ready == 0 ? GG_ERR_TIMEOUT : GG_OK;
}

int gg_transport_wait(struct gg_transport *transport, uint32_t timeout_ms)
{
	if (transport->kind == TRANSPORT_BROKER)
		return broker_wait(transport, timeout_ms);
	return transport->kind == TRANSPORT_FILE ? transport_file_wait(transport, timeout_ms)
						 : transport_link_wait(transport, timeout_ms);
}

void gg_transport_close(struct gg_transport *transport)
{
	if (!transport)
		return;
	gg_broker_close(&transport->broker);
	transport_link_close(transport);
	if (transport->ram)
		(void)munmap(transport->ram, transport->mapped);
	if (transport->console)
		(void)munmap((void *)(uintptr_t)transport->console, sizeof(struct console_memory));
	(void)pthread_mutex_destroy(&transport->lock);
	free(transport);
}
