/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* MAP_SHARED and the like of POSIX */
#include "host/lib/transport/transport.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"

struct transport *transport_new(const struct transport_kind *kind)
{
	struct transport *made = calloc(1, kind->bytes);

	if (!made)
		return NULL;
	made->kind = kind;
	(void)pthread_mutex_init(&made->lock, NULL);
	return made;
}

bool transport_map(struct transport *transport, int file, uint64_t offset, uint64_t bytes)
{
	void *ram = mmap(NULL, bytes, transport->read_only ? PROT_READ : PROT_READ | PROT_WRITE,
			 MAP_SHARED, file, (off_t)offset);

	if (ram == MAP_FAILED)
		return false;
	transport->file = fcntl(file, F_DUPFD_CLOEXEC, 0);
	if (transport->file < 0) {
		(void)munmap(ram, bytes);
		return false;
	}
	transport->file_offset = offset;
	transport->ram = ram;
	transport->bytes = bytes;
	transport->mapped = bytes;
	return true;
}

int transport_share(const struct transport *transport, uint64_t *offset)
{
	*offset = transport->file_offset;
	return fcntl(transport->file, F_DUPFD_CLOEXEC, 0);
}

uint8_t *transport_ram(const struct transport *transport, uint64_t *bytes)
{
	*bytes = transport->bytes;
	return transport->ram;
}

bool transport_place(const struct transport *transport, struct place *place)
{
	if (!transport->kind->place)
		return false;
	transport->kind->place(transport, place);
	return true;
}

int transport_read(struct transport *transport, uint64_t offset, void *data, uint64_t bytes)
{
	if (!transport->ram)
		return transport->kind->read(transport, offset, data, bytes);
	memcpy(data, transport->ram + offset, bytes);
	return GG_OK;
}

int transport_write(struct transport *transport, uint64_t offset, const void *data, uint64_t bytes)
{
	if (transport->read_only)
		return GG_ERR_BUSY;
	if (!transport->ram)
		return transport->kind->write(transport, offset, data, bytes);
	memcpy(transport->ram + offset, data, bytes);
	return GG_OK;
}

bool transport_lost(struct transport *transport)
{
	(void)pthread_mutex_lock(&transport->lock);
	if (!transport->lost && transport->kind->has_ended)
		transport->lost = transport->kind->has_ended(transport);
	const bool lost = transport->lost;

	(void)pthread_mutex_unlock(&transport->lock);
	return lost;
}

bool transport_read_only(const struct transport *transport)
{
	return transport->read_only;
}

int transport_ring(struct transport *transport)
{
	return transport->read_only ? GG_ERR_UNSUPPORTED : transport->kind->ring(transport);
}

int transport_wait(struct transport *transport, uint32_t timeout_ms)
{
	return transport->kind->wait(transport, timeout_ms);
}

uint64_t transport_stood(const struct transport *transport)
{
	return transport->kind->stood ? transport->kind->stood(transport) : 0;
}

const char *transport_message(struct transport *transport)
{
	const char *message = "";

	/* What is told of a device that is lost stays as it is. */
	(void)pthread_mutex_lock(&transport->lock);
	if (transport->kind->message)
		message = transport->kind->message(transport);
	(void)pthread_mutex_unlock(&transport->lock);
	return message;
}

void transport_forked(struct transport *transport)
{
	if (transport->kind->forked)
		transport->kind->forked(transport);
}

void transport_close(struct transport *transport)
{
	if (!transport)
		return;
	if (transport->kind->close)
		transport->kind->close(transport);
	if (transport->ram) {
		(void)munmap(transport->ram, transport->mapped);
		(void)close(transport->file);
	}
	(void)pthread_mutex_destroy(&transport->lock);
	free(transport);
}
