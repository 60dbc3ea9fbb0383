/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* MAP_SHARED and the like of POSIX */
#include "host/lib/transport.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/broker/console.h"
#include "host/lib/broker_client.h"

#define LOOK_MS 1 /* how often one looks at a device that cannot interrupt */

struct gg_transport {
	uint8_t *ram;         /* constant */
	uint64_t bytes;       /* constant */
	bool read_only;       /* constant */
	bool has_broker;      /* constant */
	const void *console;  /* constant */
	pthread_mutex_t lock; /* guards the broker's socket and `lost` */
	bool lost;
	struct gg_broker broker;
};

static int transport_make(struct gg_transport **transport, int file, uint64_t offset,
			  uint64_t bytes, bool read_only)
{
	struct gg_transport *made = calloc(1, sizeof(*made));

	if (!made) {
		return GG_ERR_NO_MEMORY;
	}
	void *ram = mmap(NULL, bytes, read_only ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED,
			 file, (off_t)offset);

	if (ram == MAP_FAILED) {
		free(made);
		return GG_ERR_IO;
	}
	made->ram = ram;
	made->bytes = bytes;
	made->read_only = read_only;
	made->broker.socket = -1;
	for (unsigned index = 0; index < WIRE_DESCRIPTORS; index++) {
		made->broker.descriptors[index] = -1;
	}
	(void)pthread_mutex_init(&made->lock, NULL);
	*transport = made;
	return GG_OK;
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
	const int status = transport_make(transport, mine.descriptors[WIRE_RAM], 0,
					  mine.device.ram_bytes, observer);

	if (status != GG_OK) {
		(void)snprintf(message, size, "cannot map the device's memory: %s",
			       strerror(errno));
		gg_broker_close(&mine);
		return status;
	}
	(*transport)->broker = mine;
	(*transport)->has_broker = true;
	(*transport)->console = map_console(console);
	return GG_OK;
}

static int split_uri(const char *uri, char *path, size_t size, uint64_t *offset)
{
	const char *at = strrchr(uri, '@');
	char *end = NULL;

	if (strncmp(uri, "mmap:", 5) != 0) {
		return GG_ERR_UNSUPPORTED;
	}
	uri += 5;
	const size_t length = at && at >= uri ? (size_t)(at - uri) : strlen(uri);

	if (length == 0 || length >= size) {
		return GG_ERR_ARGUMENT;
	}
	(void)memcpy(path, uri, length);
	path[length] = '\0';
	*offset = 0;
	if (at && at >= uri) {
		errno = 0;
		*offset = strtoull(at + 1, &end, 0);
		if (errno != 0 || end == at + 1 || *end != '\0') {
			return GG_ERR_ARGUMENT;
		}
	}
	return *offset % 4096 == 0 ? GG_OK : GG_ERR_ARGUMENT;
}

int gg_transport_of_file(struct gg_transport **transport, const char *uri, char *message,
			 uint64_t size)
{
	char path[512] = "";
	uint64_t offset = 0;
	struct stat facts;
	int status = split_uri(uri, path, sizeof(path), &offset);

	if (status != GG_OK) {
		(void)snprintf(message, size, "%s is not mmap:FILE@OFFSET", uri);
		return status;
	}
	const int file = open(path, O_RDWR | O_CLOEXEC);

	if (file < 0 || fstat(file, &facts) != 0) {
		(void)snprintf(message, size, "cannot open %s: %s", path, strerror(errno));
		status = GG_ERR_NO_DEVICE;
	} else if ((uint64_t)facts.st_size <= offset) {
		(void)snprintf(message, size, "%s ends before offset %llu", path,
			       (unsigned long long)offset);
		status = GG_ERR_NO_DEVICE;
	} else {
		status = transport_make(transport, file, offset, (uint64_t)facts.st_size - offset,
					false);
		if (status != GG_OK) {
			(void)snprintf(message, size, "cannot map %s: %s", path, strerror(errno));
		}
	}
	if (file >= 0) {
		(void)close(file);
	}
	return status;
}

uint8_t *gg_transport_ram(const struct gg_transport *transport, uint64_t *bytes)
{
	*bytes = transport->bytes;
	return transport->ram;
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
	return transport->lost ? transport->broker.message : "";
}

static bool transport_lost(struct gg_transport *transport)
{
	(void)pthread_mutex_lock(&transport->lock);
	if (!transport->lost && gg_broker_lost(&transport->broker) != 0) {
		transport->lost = true;
	}
	const bool lost = transport->lost;

	(void)pthread_mutex_unlock(&transport->lock);
	return lost;
}

/* A window of a file has no doorbell of its own: the device looks at the mailbox's words. */
int gg_transport_ring(struct gg_transport *transport)
{
	const uint64_t one = 1;

	if (transport->read_only) {
		return GG_ERR_UNSUPPORTED;
	}
	if (!transport->has_broker) {
		return GG_OK;
	}
	/* EAGAIN: so many rings are on their way that one more says nothing */
	if (write(transport->broker.descriptors[WIRE_RING], &one, sizeof(one)) !=
		    (ssize_t)sizeof(one) &&
	    errno != EAGAIN) {
		return GG_ERR_IO;
	}
	return GG_OK;
}

static int wait_polled(uint32_t timeout_ms)
{
	(void)poll(NULL, 0, timeout_ms < LOOK_MS ? (int)timeout_ms : LOOK_MS);
	return GG_OK;
}

int gg_transport_wait(struct gg_transport *transport, uint32_t timeout_ms)
{
	const int interrupt = transport->broker.descriptors[WIRE_INTERRUPT];
	struct pollfd waits[2] = { { .fd = transport->broker.socket, .events = POLLIN },
				   { .fd = interrupt, .events = POLLIN } };
	uint64_t count;

	if (!transport->has_broker) {
		return wait_polled(timeout_ms);
	}
	const int ready = poll(waits, 2, timeout_ms > INT32_MAX ? INT32_MAX : (int)timeout_ms);

	if (ready < 0) {
		return errno == EINTR ? GG_OK : GG_ERR_IO;
	}
	if (waits[0].revents != 0 && transport_lost(transport)) {
		return GG_ERR_DEVICE_LOST;
	}
	if (waits[1].revents != 0) {
		(void)!read(interrupt, &count, sizeof(count));
	}
	return ready == 0 ? GG_ERR_TIMEOUT : GG_OK;
}

void gg_transport_close(struct gg_transport *transport)
{
	if (!transport) {
		return;
	}
	gg_broker_close(&transport->broker);
	(void)munmap(transport->ram, transport->bytes);
	if (transport->console) {
		(void)munmap((void *)(uintptr_t)transport->console, sizeof(struct console_memory));
	}
	(void)pthread_mutex_destroy(&transport->lock);
	free(transport);
}
