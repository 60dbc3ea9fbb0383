/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* struct ucred, syscall */
#include "host/broker/clients.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"

void clients_init(struct clients *clients, struct qemu *qemu, struct console *console)
{
	*clients = (struct clients){ .qemu = qemu, .console = console };
	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		clients->list[index] = (struct client){ .socket = -1, .process = -1 };
	}
}

static struct client *owner_of(struct clients *clients)
{
	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		if (clients->list[index].role == WIRE_OWNER) {
			return &clients->list[index];
		}
	}
	return NULL;
}

/** Clients that use the device. A place that is free has no role. */
static uint32_t users_of(const struct clients *clients)
{
	uint32_t count = 0;

	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		count += clients->list[index].role != WIRE_NONE;
	}
	return count;
}

bool clients_any(const struct clients *clients)
{
	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		if (clients->list[index].socket >= 0) {
			return true;
		}
	}
	return false;
}

/* A pidfd, or -1 where the kernel has none: then only the socket tells that a client has gone. */
static int pidfd_of(pid_t process)
{
	return (int)syscall(SYS_pidfd_open, process, 0);
}

static struct client *free_place(struct clients *clients)
{
	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		if (clients->list[index].socket < 0) {
			return &clients->list[index];
		}
	}
	return NULL;
}

void clients_add(struct clients *clients, int socket)
{
	struct ucred peer = { .pid = 0 };
	socklen_t length = sizeof(peer);
	struct client *place = free_place(clients);

	if (!place && clients_drop_idle(clients)) {
		place = free_place(clients);
	}
	if (!place) {
		clients_refuse(clients, socket);
		return;
	}
	(void)fcntl(socket, F_SETFD, FD_CLOEXEC); /* QEMU must not inherit it */
	(void)getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length);
	*place = (struct client){
		.socket = socket,
		.process = peer.pid > 0 ? pidfd_of(peer.pid) : -1,
		.since = clients->came++,
		.pid = peer.pid,
	};
}

void clients_add_first(struct clients *clients, int socket)
{
	clients_add(clients, socket);
	clients->list[0].starter = true;
}

void clients_forget(struct clients *clients, struct client *client)
{
	(void)close(client->socket);
	if (client->process >= 0) {
		(void)close(client->process);
	}
	clients->shutdown |= client->starter;
	*client = (struct client){ .socket = -1, .process = -1 };
}

/** Sends a reply with descriptors. @return as wire_send(). */
static int send_reply(struct clients *clients, int socket, uint32_t kind, int status,
		      const char *message, const int *descriptors, unsigned count)
{
	const struct client *owner = owner_of(clients);
	struct wire_reply reply = { .magic = WIRE_MAGIC,
				    .version = WIRE_VERSION,
				    .kind = kind,
				    .status = status,
				    .device = clients->device };

	reply.device.owner_pid = owner ? owner->pid : 0;
	reply.device.observers = users_of(clients) - (owner != NULL);
	reply.device.qemu_pid = clients->qemu->pid;
	(void)snprintf(reply.message, sizeof(reply.message), "%s", message);
	return wire_send(socket, &reply, sizeof(reply), descriptors, count);
}

static void answer_attach(struct clients *clients, struct client *client, const int *descriptors,
			  unsigned count)
{
	if (send_reply(clients, client->socket, WIRE_ATTACH, GG_OK, "", descriptors, count) != 0) {
		clients_forget(clients, client);
	}
}

static void answer_status(struct clients *clients, struct client *client, uint32_t kind, int status,
			  const char *message)
{
	if (send_reply(clients, client->socket, kind, status, message, NULL, 0) != 0) {
		clients_forget(clients, client);
	}
}

static const char no_room[] =
	"too many processes use the device or are connected to it: end one of "
	"them, or end the device with `ganger down`";

void clients_refuse(struct clients *clients, int socket)
{
	(void)!send_reply(clients, socket, WIRE_LOST, GG_ERR_BUSY, no_room, NULL, 0);
	(void)close(socket);
}

bool clients_drop_idle(struct clients *clients)
{
	struct client *oldest = NULL;

	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		struct client *client = &clients->list[index];
		const bool idle = client->socket >= 0 && client->role == WIRE_NONE &&
				  !client->starter && !client->wants_end;

		if (idle && (!oldest || client->since < oldest->since)) {
			oldest = client;
		}
	}
	if (oldest) {
		answer_status(clients, oldest, WIRE_LOST, GG_ERR_BUSY, no_room);
	}
	if (oldest && oldest->socket >= 0) {
		clients_forget(clients, oldest);
	}
	return oldest != NULL;
}

static void attach_owner(struct clients *clients, struct client *client)
{
	const struct client *owner = owner_of(clients);
	char message[96];

	if (owner && owner != client) {
		(void)snprintf(message, sizeof(message),
			       "process %d uses the device: wait for it, or end it",
			       (int)owner->pid);
		answer_status(clients, client, WIRE_ATTACH, GG_ERR_BUSY, message);
		return;
	}
	client->role = WIRE_OWNER;
	const int descriptors[WIRE_DESCRIPTORS] = {
		[WIRE_RAM] = clients->qemu->ram,
		[WIRE_RING] = clients->qemu->ring,
		[WIRE_INTERRUPT] = clients->qemu->interrupt,
		[WIRE_CONSOLE] = clients->console->readers,
	};
	answer_attach(clients, client, descriptors, WIRE_DESCRIPTORS);
}

static void attach_observer(struct clients *clients, struct client *client)
{
	const int ram = console_reopen(clients->qemu->ram);
	const int descriptors[2] = { ram, clients->console->readers };

	if (ram < 0) {
		answer_status(clients, client, WIRE_ATTACH, GG_ERR_IO, strerror(errno));
		return;
	}
	client->role = WIRE_OBSERVER;
	answer_attach(clients, client, descriptors, 2);
	(void)close(ram);
}

/* There is no need to wait for QEMU's answer: it stops before it reads the next command. */
static void pause_or_continue(struct clients *clients, struct client *client, uint32_t kind)
{
	const char *text =
		kind == WIRE_PAUSE ? "{\"execute\":\"stop\"}\n" : "{\"execute\":\"cont\"}\n";
	const bool sent = send(clients->qemu->qmp, text, strlen(text),
			       MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)strlen(text);

	if (sent) {
		clients->device.state = kind == WIRE_PAUSE ? WIRE_PAUSED : WIRE_RUNNING;
	}
	answer_status(clients, client, kind, sent ? GG_OK : GG_ERR_IO,
		      sent ? "" : "QEMU does not take commands");
}

static void shut_down(struct clients *clients, struct client *client, uint32_t force)
{
	const struct client *owner = owner_of(clients);

	if (owner && owner != client && force == 0) {
		answer_status(clients, client, WIRE_SHUTDOWN, GG_ERR_BUSY, "the mailbox is held");
		return;
	}
	client->wants_end = true; /* clients_lost() answers when the device has ended */
	clients->shutdown = true;
}

static void handle(struct clients *clients, struct client *client,
		   const struct wire_request *request)
{
	switch (request->kind) {
	case WIRE_ATTACH:
		if (users_of(clients) - (client->role != WIRE_NONE) >= CLIENTS_MOST) {
			answer_status(clients, client, WIRE_ATTACH, GG_ERR_BUSY, no_room);
		} else if (request->argument == WIRE_OWNER) {
			attach_owner(clients, client);
		} else {
			attach_observer(clients, client);
		}
		break;
	case WIRE_DETACH:
		client->role = WIRE_NONE;
		client->starter = false;
		answer_status(clients, client, WIRE_DETACH, GG_OK, "");
		break;
	case WIRE_STATUS:
		answer_status(clients, client, WIRE_STATUS, GG_OK, "");
		break;
	case WIRE_SHUTDOWN:
		shut_down(clients, client, request->argument);
		break;
	case WIRE_PAUSE:
	case WIRE_CONTINUE:
		pause_or_continue(clients, client, request->kind);
		break;
	default:
		answer_status(clients, client, request->kind, GG_ERR_UNSUPPORTED,
			      "unknown request");
		break;
	}
}

void clients_serve(struct clients *clients, struct client *client)
{
	struct wire_request request;
	const int got = wire_receive(client->socket, &request, sizeof(request), NULL, 0, 0);

	if (got == -EAGAIN || got == -EINTR) {
		return;
	}
	if (got != (int)sizeof(request) || request.magic != WIRE_MAGIC) {
		clients_forget(clients, client);
	} else if (request.version != WIRE_VERSION) {
		answer_status(clients, client, request.kind, GG_ERR_ABI_VERSION,
			      "the broker is of another version");
	} else {
		handle(clients, client, &request);
	}
}

void clients_lost(struct clients *clients, int status, const char *message)
{
	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		struct client *client = &clients->list[index];

		if (client->socket >= 0 && client->wants_end) {
			answer_status(clients, client, WIRE_SHUTDOWN, GG_OK, "");
		} else if (client->socket >= 0) {
			answer_status(clients, client, WIRE_LOST, status, message);
		}
	}
}
