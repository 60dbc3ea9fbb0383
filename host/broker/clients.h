/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The broker's clients: what they ask and what they get. One of them at a time owns the mailbox.
 */
#ifndef HOST_BROKER_CLIENTS_H
#define HOST_BROKER_CLIENTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "host/broker/qemu.h"
#include "host/common/console.h"
#include "host/common/wire.h"

#define CLIENTS_MOST 32u

/** A client; socket -1 is a free place. It goes when its socket closes or its process ends: a forked
 * child that still has the socket has no part in the device. */
struct client {
	int socket;
	int process;    /**< pidfd of its process, readable once that has ended; or -1. */
	bool wants_end; /**< Asked for the end; is answered when it has come. */
	uint32_t role;  /**< enum wire_role. */
	pid_t pid;      /**< Its process. */
};

/** All clients, and what they are told. */
struct clients {
	struct client list[CLIENTS_MOST];
	struct wire_device device; /**< As it is now, but for owner and observers. */
	struct qemu *qemu;
	struct console *console;
	bool shutdown; /**< A client asked for the end. */
};

/** No clients. */
void clients_init(struct clients *clients, struct qemu *qemu, struct console *console);

/** A new client; one too many is closed. */
void clients_add(struct clients *clients, int socket);

/** A client's socket is readable: serve it. A client that went is forgotten. */
void clients_serve(struct clients *clients, struct client *client);

/** Close a client's socket and free its place. */
void clients_forget(struct client *client);

/** Whether there is any client. */
bool clients_any(const struct clients *clients);

/** Tell all that the device has ended, or never began; who asked for the end gets its answer. */
void clients_lost(struct clients *clients, int status, const char *message);

#endif /* HOST_BROKER_CLIENTS_H */
