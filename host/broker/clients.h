/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The broker's clients: what they ask and what they get. One of them at a time owns the mailbox; or, when the device is for
 * several hosts, each of these has a share of it.
 */
#ifndef HOST_BROKER_CLIENTS_H
#define HOST_BROKER_CLIENTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "host/broker/hosts.h"
#include "host/broker/qemu.h"
#include "host/common/console.h"
#include "host/common/wire.h"

#define CLIENTS_MOST   32u /**< Clients that may use the device at once. */
#define CLIENTS_PLACES 40u /**< The others can still ask for the device's end. */

/** A client; socket -1 is a free place. It goes when its socket closes or its process ends: a
 * forked child that still has the socket does not count. */
struct client {
	int socket;
	int process;    /**< pidfd of its process, readable once that has ended; or -1. */
	bool wants_end; /**< It asked for the device's end, and is answered then. */
	bool starter;   /**< It started the broker, and has not said that the device is to stay. */
	uint64_t since; /**< Clients that came before it: a number that orders them. */
	uint32_t role;  /**< enum wire_role. */
	uint32_t share; /**< WIRE_HOST: number of its share. */
	bool waits;     /**< It is answered when a share is free: one is being cleaned. */
	uint64_t deadline; /**< Until when it waits. */
	pid_t pid;         /**< Number of its process. */
	uid_t uid;         /**< User of its process. */
};

/** All clients, and what they are told. */
struct clients {
	struct client list[CLIENTS_PLACES];
	uint64_t came;             /**< Clients until now. */
	struct wire_device device; /**< The device as it is now, without owner and observers. */
	struct qemu *qemu;
	struct console *console;
	struct hosts *hosts;
	bool shutdown; /**< A client asked for the device's end, or its starter has gone. */
};

/** Begin without any client. */
void clients_init(struct clients *clients, struct qemu *qemu, struct console *console,
		  struct hosts *hosts);

/** Add a client. If all places are taken, the idle client that came first goes. */
void clients_add(struct clients *clients, int socket);

/** Add the client that started the broker: the device ends with it until it detaches. */
void clients_add_first(struct clients *clients, int socket);

/** Drop the idle client that came first: one that neither uses the device nor started the broker. It
 * is told why. @return false: there is none. */
bool clients_drop_idle(struct clients *clients);

/** Tell a new client that there is no room for it, and close its socket. */
void clients_refuse(struct clients *clients, int socket);

/** What a client is told for whom there is no room. */
extern const char clients_no_room[];

/** The client that has all of the device, or NULL. */
const struct client *clients_owner(const struct clients *clients);

/** Clients that use the device. */
uint32_t clients_users(const struct clients *clients);

/** Answer a request with a status and, if that is not GG_OK, why. A client that does not take it goes. */
void clients_answer(struct clients *clients, struct client *client, uint32_t kind, int status,
		    const char *message);

/** Answer an attach that was granted, with descriptors. */
void clients_give(struct clients *clients, struct client *client, const int *descriptors,
		  unsigned count);

/** Answer who uses the device: of a device for one host, its owner. */
void clients_tell_hosts(struct clients *clients, struct client *client);

/** Take from a client what it uses of the device. It stays connected. */
void clients_leave(struct clients *clients, struct client *client);

/** Close a client's socket and free its place. */
void clients_forget(struct clients *clients, struct client *client);

/** Whether a client waits for a share, so that requests_turn() is to be called again soon. */
bool clients_wait(const struct clients *clients);

/** Whether there is any client. */
bool clients_any(const struct clients *clients);

/** Tell all clients that the device has ended, or never began. A client that asked for the end gets
 * its answer. */
void clients_lost(struct clients *clients, int status, const char *message);

#endif /* HOST_BROKER_CLIENTS_H */
