/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* MAP_SHARED and the like of POSIX */
#include "host/lib/transport/transport_broker.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"

struct broker_transport {
	struct transport base;
	struct broker broker; /**< Its socket and message are guarded by the lock. */
	const struct console_memory *console; /**< Or NULL. */
	struct share_memory *share;           /**< Or NULL: this host has all of the device. */
};

static bool broker_has_ended(struct transport *transport)
{
	struct broker_transport *mine = (struct broker_transport *)transport;

	return broker_lost(&mine->broker) != 0;
}

static const char *broker_message(const struct transport *transport)
{
	const struct broker_transport *mine = (const struct broker_transport *)transport;

	return transport->lost ? mine->broker.message : "";
}

static int broker_ring(struct transport *transport)
{
	const struct broker_transport *mine = (const struct broker_transport *)transport;
	const uint64_t one = 1;

	/* EAGAIN: the counter is full of rings that the device has not taken, so one is on its way. */
	if (write(mine->broker.descriptors[WIRE_RING], &one, sizeof(one)) != (ssize_t)sizeof(one) &&
	    errno != EAGAIN)
		return GG_ERR_IO;
	return GG_OK;
}

static int broker_wait(struct transport *transport, uint32_t timeout_ms)
{
	const struct broker_transport *mine = (const struct broker_transport *)transport;
	const int interrupt = mine->broker.descriptors[WIRE_INTERRUPT];
	struct pollfd waits[2] = { { .fd = mine->broker.socket, .events = POLLIN },
				   { .fd = interrupt, .events = POLLIN } };
	uint64_t count;
	const int ready = poll(waits, 2, timeout_ms > INT32_MAX ? INT32_MAX : (int)timeout_ms);

	if (ready < 0)
		return errno == EINTR ? GG_ERR_CANCELLED : GG_ERR_IO;
	if (waits[0].revents != 0 && transport_lost(transport))
		return GG_ERR_DEVICE_LOST;
	if (waits[1].revents != 0)
		(void)!read(interrupt, &count, sizeof(count));
	return ready == 0 ? GG_ERR_TIMEOUT : GG_OK;
}

static uint64_t broker_stood(const struct transport *transport)
{
	const struct broker_transport *mine = (const struct broker_transport *)transport;

	return mine->console ? console_stood(mine->console) : 0;
}

static void broker_end(struct transport *transport)
{
	struct broker_transport *mine = (struct broker_transport *)transport;

	broker_close(&mine->broker);
	if (mine->console)
		(void)munmap((void *)(uintptr_t)mine->console, sizeof(*mine->console));
	if (mine->share)
		(void)munmap(mine->share, sizeof(*mine->share));
}

static const struct transport_kind broker_kind = {
	.bytes = sizeof(struct broker_transport),
	.ring = broker_ring,
	.wait = broker_wait,
	.has_ended = broker_has_ended,
	.message = broker_message,
	.stood = broker_stood,
	.close = broker_end,
	.forked = broker_end,
};

static const struct console_memory *map_console(int file)
{
	void *memory = file < 0 ? MAP_FAILED
				: mmap(NULL, sizeof(struct console_memory), PROT_READ, MAP_SHARED,
				       file, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/** Maps the memory of a share. @return false: it cannot be mapped, or is none that we know. */
static bool map_share(struct broker_transport *mine)
{
	const int file = mine->broker.descriptors[WIRE_SHARE];
	struct share_memory *memory;

	if (file < 0)
		return true;
	memory = mmap(NULL, sizeof(*memory), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (memory == MAP_FAILED)
		return false;
	mine->share = memory;
	return memory->magic == SHARE_MAGIC && memory->version == SHARE_VERSION;
}

/* An observer has two descriptors, RAM and console, in that order. */
int transport_of_broker(struct transport **transport, const struct broker *broker, char *message,
			uint64_t size)
{
	struct broker client = *broker;
	const bool observer = client.descriptors[WIRE_INTERRUPT] < 0;
	const int console = client.descriptors[observer ? WIRE_RING : WIRE_CONSOLE];
	struct transport *made = transport_new(&broker_kind);
	struct broker_transport *mine = (struct broker_transport *)made;

	if (!made) {
		broker_close(&client);
		return GG_ERR_NO_MEMORY;
	}
	mine->broker = client;
	made->read_only = observer;
	if (!transport_map(made, client.descriptors[WIRE_RAM], 0, client.device.ram_bytes)) {
		(void)snprintf(message, size, "cannot map the device's memory: %s",
			       strerror(errno));
		transport_close(made);
		return GG_ERR_IO;
	}
	if (!map_share(mine)) {
		(void)snprintf(message, size, "cannot use a share of the device");
		transport_close(made);
		return GG_ERR_IO;
	}
	mine->console = map_console(console);
	*transport = made;
	return GG_OK;
}

int transport_keep(struct transport *transport, uint32_t timeout_ms)
{
	return broker_detach(&((struct broker_transport *)transport)->broker, timeout_ms);
}

struct share_memory *transport_share_memory(const struct transport *transport)
{
	return ((const struct broker_transport *)transport)->share;
}

const struct console_memory *transport_console(const struct transport *transport)
{
	if (transport->kind != &broker_kind)
		return NULL;
	return ((const struct broker_transport *)transport)->console;
}
