/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1
#include "host/broker/requests.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/common/deadline.h"

#define SHARE_MS 10000u /* a share is cleaned within milliseconds, unless a task does not end */

static void refuse_user(struct clients *clients, struct client *client, uint32_t kind)
{
	char message[96];

	(void)snprintf(message, sizeof(message),
		       "only user %u, who booted the device, may do this, not user %u",
		       (unsigned)geteuid(), (unsigned)client->uid);
	clients_answer(clients, client, kind, GG_ERR_PERMISSION, message);
}

static void attach_owner(struct clients *clients, struct client *client)
{
	const struct client *owner = clients_owner(clients);
	char message[128];

	if (clients->hosts->count > 1 && !client->starter) {
		(void)snprintf(message, sizeof(message),
			       "the device is for %u hosts: this version of libganger cannot share "
			       "one",
			       clients->hosts->count);
		clients_answer(clients, client, WIRE_ATTACH, GG_ERR_UNSUPPORTED, message);
		return;
	}

	if (owner && owner != client) {
		(void)snprintf(message, sizeof(message),
			       "process %d uses the device: wait for it, or end it",
			       (int)owner->pid);
		clients_answer(clients, client, WIRE_ATTACH, GG_ERR_BUSY, message);
		return;
	}
	client->role = WIRE_OWNER;
	const int descriptors[WIRE_SHARE] = {
		[WIRE_RAM] = clients->qemu->ram,
		[WIRE_RING] = clients->qemu->ring,
		[WIRE_INTERRUPT] = clients->qemu->interrupt,
		[WIRE_CONSOLE] = clients->console->readers,
	};
	clients_give(clients, client, descriptors, WIRE_SHARE);
}

/** Gives a client a share, or lets it wait for one. */
static void attach_host(struct clients *clients, struct client *client)
{
	const struct client *owner = clients_owner(clients);
	char message[512] = "the process that boots the device still uses it: wait for it";
	int status = GG_ERR_BUSY;

	if (!owner) {
		status = hosts_attach(clients->hosts, clients->qemu, &clients->device, client->pid,
				      client->uid, &client->share, message, sizeof(message));
	}
	if (status == GG_ERR_TIMEOUT && !client->waits) {
		client->waits = true;
		client->deadline = deadline_after(SHARE_MS);
	}
	if (status == GG_ERR_TIMEOUT && deadline_left(client->deadline, 1) > 0) {
		return; /* requests_turn() asks again */
	}
	client->waits = false;
	if (status == GG_ERR_TIMEOUT) {
		status = GG_ERR_BUSY;
	}
	if (status != GG_OK) {
		clients_answer(clients, client, WIRE_ATTACH, status, message);
		return;
	}
	const struct share *share = &clients->hosts->shares[client->share];
	const int descriptors[WIRE_DESCRIPTORS] = {
		[WIRE_RAM] = clients->qemu->ram,     [WIRE_RING] = clients->qemu->ring,
		[WIRE_INTERRUPT] = share->interrupt, [WIRE_CONSOLE] = clients->console->readers,
		[WIRE_SHARE] = share->file,
	};

	client->role = WIRE_HOST;
	clients_give(clients, client, descriptors, WIRE_DESCRIPTORS);
}

static void attach_observer(struct clients *clients, struct client *client)
{
	const int ram = console_reopen(clients->qemu->ram);
	const int descriptors[2] = { ram, clients->console->readers };

	if (ram < 0) {
		clients_answer(clients, client, WIRE_ATTACH, GG_ERR_IO, strerror(errno));
		return;
	}
	client->role = WIRE_OBSERVER;
	clients_give(clients, client, descriptors, 2);
	(void)close(ram);
}

static void attach(struct clients *clients, struct client *client, uint32_t role)
{
	clients_leave(clients, client);
	if (clients_users(clients) >= CLIENTS_MOST) {
		clients_answer(clients, client, WIRE_ATTACH, GG_ERR_BUSY, clients_no_room);
	} else if (role == WIRE_OWNER || (role == WIRE_HOST && clients->hosts->count == 1)) {
		attach_owner(clients, client);
	} else if (role == WIRE_HOST) {
		attach_host(clients, client);
	} else {
		attach_observer(clients, client);
	}
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
	clients_answer(clients, client, kind, sent ? GG_OK : GG_ERR_IO,
		       sent ? "" : "QEMU does not take commands");
}

static void shut_down(struct clients *clients, struct client *client, uint32_t force)
{
	const struct client *owner = clients_owner(clients);

	if (owner && owner != client && force == 0) {
		clients_answer(clients, client, WIRE_SHUTDOWN, GG_ERR_BUSY, "the mailbox is held");
		return;
	}
	client->wants_end = true; /* clients_lost() answers when the device has ended */
	clients->shutdown = true;
}

static void change_quota(struct clients *clients, struct client *client, uint32_t argument)
{
	const uint32_t host = argument >> WIRE_QUOTA_HOST_SHIFT;
	const uint32_t most = argument & WIRE_QUOTA_MOST;
	const int status = hosts_quota(clients->hosts, host, most);
	char message[128];

	(void)snprintf(message, sizeof(message),
		       "the device is for %u hosts, and a host has 1 to %u tasks on their way: not "
		       "host %u with %u",
		       clients->hosts->count, SHARE_ENTRIES / 2u, host, most);
	clients_answer(clients, client, WIRE_QUOTA, status, status == GG_OK ? "" : message);
}

static void handle(struct clients *clients, struct client *client,
		   const struct wire_request *request)
{
	const bool manages = request->kind == WIRE_SHUTDOWN || request->kind == WIRE_PAUSE ||
			     request->kind == WIRE_CONTINUE || request->kind == WIRE_QUOTA;

	if (manages && !hosts_may_manage(client->uid)) {
		refuse_user(clients, client, request->kind);
		return;
	}
	switch (request->kind) {
	case WIRE_ATTACH:
		attach(clients, client, request->argument);
		break;
	case WIRE_DETACH:
		clients_leave(clients, client);
		client->starter = false;
		clients_answer(clients, client, WIRE_DETACH, GG_OK, "");
		break;
	case WIRE_STATUS:
		clients_answer(clients, client, WIRE_STATUS, GG_OK, "");
		break;
	case WIRE_HOSTS:
		clients_tell_hosts(clients, client);
		break;
	case WIRE_QUOTA:
		change_quota(clients, client, request->argument);
		break;
	case WIRE_SHUTDOWN:
		shut_down(clients, client, request->argument);
		break;
	case WIRE_PAUSE:
	case WIRE_CONTINUE:
		pause_or_continue(clients, client, request->kind);
		break;
	default:
		clients_answer(clients, client, request->kind, GG_ERR_UNSUPPORTED,
			       "unknown request");
		break;
	}
}

void requests_serve(struct clients *clients, struct client *client)
{
	struct wire_request request;
	const int got = wire_receive(client->socket, &request, sizeof(request), NULL, 0, 0);

	if (got == -EAGAIN || got == -EINTR) {
		return;
	}
	if (got != (int)sizeof(request) || request.magic != WIRE_MAGIC) {
		clients_forget(clients, client);
	} else if (request.version != WIRE_VERSION) {
		clients_answer(clients, client, request.kind, GG_ERR_ABI_VERSION,
			       "the broker is of another version");
	} else {
		handle(clients, client, &request);
	}
}

void requests_turn(struct clients *clients)
{
	const uint32_t full = hosts_turn(clients->hosts);

	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		struct client *client = &clients->list[index];

		if (client->role == WIRE_HOST && (full >> client->share & 1u)) {
			clients_answer(clients, client, WIRE_LOST, GG_ERR_RING_FULL,
				       "this host did not take its completions");
			if (client->socket >= 0) {
				clients_forget(clients, client);
			}
		} else if (client->waits) {
			attach_host(clients, client);
		}
	}
}
