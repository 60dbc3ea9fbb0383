/* SPDX-License-Identifier: Apache-2.0 */
/* The broker's side of its socket. The first byte is how many clients look at the device already, and whether the device
 * ends; the second is after how many answers the sockets are full, 255 less, and whether two hosts share the device. The others
 * say what clients send, packet by packet: a head byte with the client's place, and what that asks for.
 * sources: host/broker/clients.c host/broker/requests.c host/common/deadline.c */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "firmware/abi/ganger_abi.h"
#include "host/broker/clients.h"
#include "host/broker/requests.h"
#include "tests/fuzz/fuzz.h"

/* More than any process has: the system refuses it, and the numbers after it. */
#define NO_DESCRIPTOR (1 << 30)

#define FIRST_WATCHERS 0x3fu
#define FIRST_ENDS     0x40u
#define FIRST_WAITS    0x80u /* the last places have clients that wait for the end */
#define ENDS_MOST      4u    /* watchers, less one, that hear of the end: each takes its time */

/** Head bytes: the packet above, and the place below. */
enum head {
	HEAD_PLACE = 0x3f, /**< Modulo CLIENTS_PLACES, or HEAD_NEW. */
	HEAD_NEW = 0x3f,   /**< A new client. */
	HEAD_GOOD = 0x00,  /**< A request; kind and argument follow, a byte each. */
	HEAD_RAW = 0x40,   /**< A request; all of its bytes follow. */
	HEAD_ERROR = 0x80, /**< Another outcome, which a byte chooses. */
	HEAD_FORGET =
		0xc0, /**< The client's process has ended; of HEAD_NEW: the device has done something. */
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
	    (reply->kind != WIRE_HOSTS && (reply->status == GG_OK) != !reply->message[0]))
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

/* The shares: what the bytes say. */

int hosts_attach(struct hosts *hosts, const struct qemu *qemu, const struct wire_device *device,
		 pid_t pid, uid_t uid, uint32_t *share, char *message, size_t size)
{
	(void)qemu;
	(void)device;
	(void)pid;
	(void)uid;
	(void)snprintf(message, size, "no share");
	for (uint32_t i = 0; i < hosts->count; i++) {
		if (hosts->shares[i].state == WIRE_SHARE_FREE) {
			hosts->shares[i].state = WIRE_SHARE_HELD;
			*share = i;
			return GG_OK;
		}
	}
	return input.left % 2 ? GG_ERR_TIMEOUT : GG_ERR_BUSY;
}

void hosts_leave(struct hosts *hosts, uint32_t share)
{
	if (hosts->shares[share].state != WIRE_SHARE_HELD)
		abort();
	hosts->shares[share].state = WIRE_SHARE_FREE;
}

uint32_t hosts_turn(struct hosts *hosts)
{
	return hosts->count > 1 ? fuzz_byte(&input) : 0;
}

void hosts_list(const struct hosts *hosts, struct wire_hosts *list)
{
	list->count = hosts->count;
}

int hosts_quota(struct hosts *hosts, uint32_t host, uint32_t most)
{
	return host < hosts->count && most > 0 ? GG_OK : GG_ERR_ARGUMENT;
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
	unsigned held = 0;
	unsigned hosts = 0;

	for (unsigned i = 0; i < clients->hosts->count; i++)
		held += clients->hosts->shares[i].state == WIRE_SHARE_HELD;
	for (unsigned i = 0; i < CLIENTS_PLACES; i++) {
		const struct client *client = &clients->list[i];

		owners += client->socket >= 0 && client->role == WIRE_OWNER;
		users += client->socket >= 0 && client->role != WIRE_NONE;
		hosts += client->socket >= 0 && client->role == WIRE_HOST;
	}
	if (owners > 1 || users > CLIENTS_MOST || hosts != held)
		abort();
}

static void serve(struct clients *clients)
{
	while (input.left > 0) {
		const uint8_t place = (head = fuzz_byte(&input)) & HEAD_PLACE;
		struct client *client = &clients->list[place % CLIENTS_PLACES];

		if (place == HEAD_NEW && (head & HEAD_PACKET) == HEAD_FORGET)
			requests_turn(clients);
		else if (place == HEAD_NEW)
			clients_add(clients, NO_DESCRIPTOR);
		else if (client->socket >= 0 && (head & HEAD_PACKET) == HEAD_FORGET)
			clients_forget(clients, client);
		else if (client->socket >= 0)
			requests_serve(clients, client);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static int qmp[2] = { -1, -1 };
	struct console console = { .readers = NO_DESCRIPTOR };
	struct qemu qemu = { .ram = NO_DESCRIPTOR,
			     .ring = NO_DESCRIPTOR,
			     .interrupt = NO_DESCRIPTOR };
	static struct hosts hosts;
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
	hosts = (struct hosts){ .count = 1 };
	clients_init(&clients, &qemu, &console, &hosts);
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
	hosts.count += (sends_left & 1u) == 0;
	serve(&clients);
	check(&clients);
	if (ends)
		clients_lost(&clients, GG_ERR_DEVICE_LOST, "the end");
	drain(qmp[1]);
	return 0;
}
