/* SPDX-License-Identifier: Apache-2.0 */
/* The broker's side of its socket. The first byte is how many clients look at the device already, and whether the device
 * ends; the second is after how many answers the sockets are full, 255 less. The others say what clients send, packet by packet: a head byte with the client's place,
 * and what that asks for.
 * sources: host/broker/clients.c */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "firmware/abi/ganger_abi.h"
#include "host/broker/clients.h"
#include "tests/fuzz/fuzz.h"

/* More than any process has: the system refuses it, and the numbers after it. */
#define NO_DESCRIPTOR (1 << 30)

#define FIRST_WATCHERS 0x3fu
#define FIRST_ENDS     0x40u
#define FIRST_WAITS    0x80u /* the last places have clients that wait for the end */
#define ENDS_MOST      4u    /* watchers, less one, that hear of the end: each takes its time */

/** Head bytes: the packet above, and the place below. */
enum head {
	HEAD_PLACE = 0x3f,  /**< Modulo CLIENTS_PLACES, or HEAD_NEW. */
	HEAD_NEW = 0x3f,    /**< A new client. */
	HEAD_GOOD = 0x00,   /**< A request; kind and argument follow, a byte each. */
	HEAD_RAW = 0x40,    /**< A request; all of its bytes follow. */
	HEAD_ERROR = 0x80,  /**< Another outcome, which a byte chooses. */
	HEAD_FORGET = 0xc0, /**< The client's process has ended. */
	HEAD_PACKET = 0xc0,
};

static struct fuzz_input input;
static uint8_t head;
static uint8_t sends_left;
static bool qmp_used;

/* What comes and goes through the sockets. */

int wire_send(int socket, const void *data, size_t bytes, const int *descriptors, unsigned count)
{
	const struct wire_reply *reply = data;

	if (socket < NO_DESCRIPTOR || bytes != sizeof(*reply) || reply->magic != WIRE_MAGIC ||
	    !memchr(reply->message, 0, sizeof(reply->message)) || count > WIRE_DESCRIPTORS ||
	    (reply->status == GG_OK) != !reply->message[0])
		abort();
	for (unsigned i = 0; i < count; i++) {
		if (descriptors[i] < 0)
			abort();
	}
	qmp_used |= reply->kind == WIRE_PAUSE || reply->kind == WIRE_CONTINUE;
	if (sends_left == 0)
		return -EAGAIN;
	sends_left--;
	return 0;
}

int wire_receive(int socket, void *data, size_t bytes, int *descriptors, unsigned room, int flags)
{
	static const int errors[8] = { -EAGAIN, -EINTR, -EMSGSIZE, -ECONNRESET, 0, 1, 8, 15 };
	struct wire_request request = { WIRE_MAGIC, WIRE_VERSION, 0, 0 };

	(void)descriptors;
	(void)flags;
	if (socket < NO_DESCRIPTOR || bytes != sizeof(request) || room != 0)
		abort();
	if ((head & HEAD_PACKET) == HEAD_ERROR)
		return errors[fuzz_byte(&input) % 8];
	if ((head & HEAD_PACKET) == HEAD_RAW) {
		(void)fuzz_take(&input, &request, bytes);
	} else {
		request.kind = fuzz_byte(&input);
		request.argument = fuzz_byte(&input);
	}
	memcpy(data, &request, bytes);
	return (int)bytes;
}

int console_reopen(int descriptor)
{
	errno = EMFILE;
	return input.left % 8 == 7 ? -1 : descriptor;
}

/** Empties the socket to QEMU, so that there is room for more. */
static void drain(int qemu)
{
	char text[64];

	while (qmp_used && recv(qemu, text, sizeof(text), MSG_DONTWAIT) > 0) {
	}
}

static void check(const struct clients *clients)
{
	unsigned owners = 0;
	unsigned users = 0;

	for (unsigned i = 0; i < CLIENTS_PLACES; i++) {
		const struct client *client = &clients->list[i];

		owners += client->socket >= 0 && client->role == WIRE_OWNER;
		users += client->socket >= 0 && client->role != WIRE_NONE;
	}
	if (owners > 1 || users > CLIENTS_MOST)
		abort();
}

static void serve(struct clients *clients)
{
	while (input.left > 0) {
		const uint8_t place = (head = fuzz_byte(&input)) & HEAD_PLACE;
		struct client *client = &clients->list[place % CLIENTS_PLACES];

		if (place == HEAD_NEW)
			clients_add(clients, NO_DESCRIPTOR);
		else if (client->socket >= 0 && (head & HEAD_PACKET) == HEAD_FORGET)
			clients_forget(clients, client);
		else if (client->socket >= 0)
			clients_serve(clients, client);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static int qmp[2] = { -1, -1 };
	struct console console = { .readers = NO_DESCRIPTOR };
	struct qemu qemu = { .ram = NO_DESCRIPTOR,
			     .ring = NO_DESCRIPTOR,
			     .interrupt = NO_DESCRIPTOR };
	struct clients clients;
	unsigned watchers;
	uint8_t first;
	bool ends;

	if (qmp[0] < 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, qmp) != 0)
		abort();
	input = (struct fuzz_input){ data, bytes };
	first = fuzz_byte(&input);
	ends = (first & FIRST_ENDS) != 0;
	qmp_used = false;
	qemu.qmp = qmp[0];
	clients_init(&clients, &qemu, &console);
	watchers = (first & FIRST_WATCHERS) % (ends ? ENDS_MOST : CLIENTS_MOST + 1);
	for (unsigned i = watchers; i > 0; i--) {
		clients.list[i].socket = NO_DESCRIPTOR;
		clients.list[i].role = WIRE_OBSERVER;
	}
	for (unsigned i = CLIENTS_MOST + 1; (first & FIRST_WAITS) && i < CLIENTS_PLACES; i++) {
		clients.list[i].socket = NO_DESCRIPTOR;
		clients.list[i].wants_end = true;
	}
	clients.list[0].socket = NO_DESCRIPTOR;
	clients.list[0].starter = true;
	sends_left = (uint8_t)~fuzz_byte(&input);
	serve(&clients);
	check(&clients);
	if (ends)
		clients_lost(&clients, GG_ERR_DEVICE_LOST, "the end");
	drain(qmp[1]);
	return 0;
}
