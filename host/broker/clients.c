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

void clients_init(struct clients *clients, struct qemu *qemu, struct console *console,
		  struct hosts *hosts)
{
	*clients = (struct clients){ .qemu = qemu, .console = console, .hosts = hosts };
	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		clients->list[index] = (struct client){ .socket = -1, .process = -1 };
	}
}

const struct client *clients_owner(const struct clients *clients)
{
	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		if (clients->list[index].role == WIRE_OWNER) {
			return &clients->list[index];
		}
	}
	return NULL;
}

static uint32_t with_role(const struct clients *clients, uint32_t role)
{
	uint32_t count = 0;

	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		count += clients->list[index].role == role;
	}
	return count;
}

/* A place that is free has no role. */
uint32_t clients_users(const struct clients *clients)
{
	return CLIENTS_PLACES - with_role(clients, WIRE_NONE);
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
	struct ucred peer = { .pid = 0, .uid = (uid_t)-1 };
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
		.uid = peer.uid,
	};
}

void clients_add_first(struct clients *clients, int socket)
{
	clients_add(clients, socket);
	clients->list[0].starter = true;
}

void clients_leave(struct clients *clients, struct client *client)
{
	if (client->role == WIRE_HOST) {
		hosts_leave(clients->hosts, client->share);
	}
	client->role = WIRE_NONE;
	client->waits = false;
}

void clients_forget(struct clients *clients, struct client *client)
{
	clients_leave(clients, client);
	(void)close(client->socket);
	if (client->process >= 0) {
		(void)close(client->process);
	}
	clients->shutdown |= client->starter;
	*client = (struct client){ .socket = -1, .process = -1 };
}

/** Begins a reply. */
static struct wire_reply reply_of(const struct clients *clients, uint32_t kind, int status)
{
	const struct client *owner = clients_owner(clients);
	struct wire_reply reply = { .magic = WIRE_MAGIC,
				    .version = WIRE_VERSION,
				    .kind = kind,
				    .status = status,
				    .device = clients->device };

	reply.device.owner_pid = owner ? owner->pid : 0;
	reply.device.observers = with_role(clients, WIRE_OBSERVER);
	reply.device.qemu_pid = clients->qemu->pid;
	return reply;
}

/** Sends a reply with descriptors. @return as wire_send(). */
static int send_reply(struct clients *clients, int socket, uint32_t kind, int status,
		      const char *message, const int *descriptors, unsigned count)
{
	struct wire_reply reply = reply_of(clients, kind, status);

	(void)snprintf(reply.message, sizeof(reply.message), "%s", message);
	return wire_send(socket, &reply, sizeof(reply), descriptors, count);
}

void clients_give(struct clients *clients, struct client *client, const int *descriptors,
		  unsigned count)
{
	if (send_reply(clients, client->socket, WIRE_ATTACH, GG_OK, "", descriptors, count) != 0) {
		clients_forget(clients, client);
	}
}

void clients_answer(struct clients *clients, struct client *client, uint32_t kind, int status,
		    const char *message)
{
	if (send_reply(clients, client->socket, kind, status, message, NULL, 0) != 0) {
		clients_forget(clients, client);
	}
}

void clients_tell_hosts(struct clients *clients, struct client *client)
{
	const struct client *owner = clients_owner(clients);
	struct wire_reply reply = reply_of(clients, WIRE_HOSTS, GG_OK);

	hosts_list(clients->hosts, &reply.hosts);
	if (owner) {
		reply.hosts.list[0].state = WIRE_SHARE_HELD;
		reply.hosts.list[0].pid = owner->pid;
		reply.hosts.list[0].uid = owner->uid;
	}
	if (wire_send(client->socket, &reply, sizeof(reply), NULL, 0) != 0) {
		clients_forget(clients, client);
	}
}

const char clients_no_room[] =
	"too many processes use the device or are connected to it: end one of "
	"them, or end the device with `ganger down`";

void clients_refuse(struct clients *clients, int socket)
{
	(void)!send_reply(clients, socket, WIRE_LOST, GG_ERR_BUSY, clients_no_room, NULL, 0);
	(void)close(socket);
}

bool clients_drop_idle(struct clients *clients)
{
	struct client *oldest = NULL;

	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		struct client *client = &clients->list[index];
		const bool idle = client->socket >= 0 && client->role == WIRE_NONE &&
				  !client->starter && !client->wants_end && !client->waits;

		if (idle && (!oldest || client->since < oldest->since)) {
			oldest = client;
		}
	}
	if (oldest) {
		clients_answer(clients, oldest, WIRE_LOST, GG_ERR_BUSY, clients_no_room);
	}
	if (oldest && oldest->socket >= 0) {
		clients_forget(clients, oldest);
	}
	return oldest != NULL;
}

bool clients_wait(const struct clients *clients)
{
	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		if (clients->list[index].waits) {
			return true;
		}
	}
	return false;
}

void clients_lost(struct clients *clients, int status, const char *message)
{
	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		struct client *client = &clients->list[index];

		if (client->socket >= 0 && client->wants_end) {
			clients_answer(clients, client, WIRE_SHUTDOWN, GG_OK, "");
		} else if (client->socket >= 0) {
			clients_answer(clients, client, WIRE_LOST, status, message);
		}
	}
}
