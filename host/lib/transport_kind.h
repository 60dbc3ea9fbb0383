/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What is behind a transport: its kind decides which of the members are used. Only for
 * transport*.c.
 */
#ifndef HOST_LIB_TRANSPORT_KIND_H
#define HOST_LIB_TRANSPORT_KIND_H

#include <pthread.h>

#include "host/lib/broker_client.h"
#include "host/lib/link.h"
#include "host/lib/transport.h"

enum transport_kind {
	TRANSPORT_BROKER, /**< Memory is mapped, bells are event descriptors. */
	TRANSPORT_FILE,   /**< Memory is mapped, bells are words, or there are none. */
	TRANSPORT_LINK,   /**< All is copied over a line of bytes. */
};

struct gg_transport {
	enum transport_kind kind; /* constant, as all that says nothing else */
	uint64_t bytes;           /* of device memory */
	uint8_t *ram;             /* NULL: not mapped */
	uint64_t mapped;          /* bytes from there that are mapped */
	bool read_only;
	const void *console;
	uint32_t *doorbell;   /* FILE: the words of the doorbell page, or NULL */
	uint32_t heard;       /* FILE: its word to the host as last seen */
	pthread_mutex_t lock; /* guards the broker's socket, `heard`, `link`, `lost` */
	bool lost;
	struct gg_broker broker; /* BROKER */
	struct link link;        /* LINK */
	int woken;               /* LINK: an event descriptor: a request took the device's ring */
};

/** A transport without anything. @return NULL: no memory. */
struct gg_transport *transport_new(enum transport_kind kind);

/** Map `bytes` of a file. @return false: errno tells why. */
bool transport_map(struct gg_transport *transport, int file, uint64_t offset, uint64_t bytes);

/** The rest of transport.h for each kind. */
int transport_file_open(struct gg_transport **transport, const char *place, char *message,
			uint64_t size);
int transport_file_ring(struct gg_transport *transport);
int transport_file_wait(struct gg_transport *transport, uint32_t timeout_ms);
int transport_link_open(struct gg_transport **transport, const char *place, char *message,
			uint64_t size);
int transport_link_ring(struct gg_transport *transport);
int transport_link_wait(struct gg_transport *transport, uint32_t timeout_ms);
void transport_link_close(struct gg_transport *transport);

#endif /* HOST_LIB_TRANSPORT_KIND_H */
