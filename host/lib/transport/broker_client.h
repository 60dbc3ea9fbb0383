/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The library's side of the broker's protocol: starts a broker or connects to one, and asks it.
 *
 * Not thread-safe: one thread at a time uses a client. Statuses are enum gg_status; after an error
 * `message` of the client says more.
 */
#ifndef HOST_LIB_TRANSPORT_BROKER_CLIENT_H
#define HOST_LIB_TRANSPORT_BROKER_CLIENT_H

#include <stdint.h>
#include <sys/types.h>

#include "host/common/wire.h"

/** A connection to a broker. */
struct broker {
	int socket;  /**< Connection; -1: none. */
	pid_t owner; /**< Process whose broker_close() ends the device; 0: it stays. */
	/** From the last attach, by enum wire_descriptor; -1: none. */
	int descriptors[WIRE_DESCRIPTORS];
	struct wire_device device;        /**< As in the broker's last reply. */
	char message[WIRE_MESSAGE_BYTES]; /**< Why the last call failed. */
};

/** What a broker is started with. */
struct broker_options {
	const char *program;      /**< Path of ganger-broker. */
	const char *board;        /**< build/<board>. */
	const char *processors;   /**< Of this machine, "0,2-3"; NULL: all. */
	const char *listen;       /**< Path to listen on; NULL: nobody else can reach the device. */
	const char *const *extra; /**< More arguments for QEMU, ended by NULL; or NULL. */
	uint64_t ram_bytes;       /**< 0: as the board says. */
	uint32_t sms;             /**< Number of SMs. */
	uint32_t hosts;           /**< Hosts that may use the device at once; 0 or 1: one. */
	const char *group;        /**< Group whose users may connect, too; NULL: only this user. */
};

/** Start a broker with this process as its first client: it ends when this process ends or closes
 * the connection, unless it listens and broker_detach() was called. The broker is in a session of its
 * own, so ^C at a terminal does not reach it.
 * @return GG_OK, GG_ERR_IMAGE_MISSING (no such program), GG_ERR_IO. */
__attribute__((warn_unused_result)) int broker_spawn(struct broker *broker,
						     const struct broker_options *options);

/** Connect to a broker that listens at a path.
 * @return GG_OK, GG_ERR_NO_DEVICE, GG_ERR_PERMISSION (it is another user's), GG_ERR_ARGUMENT (path too long), GG_ERR_IO. */
__attribute__((warn_unused_result)) int broker_connect(struct broker *broker, const char *path);

/** Take a role; descriptors and device are filled.
 * @param role  enum wire_role. WIRE_OWNER takes a share where the device is for several hosts.
 * @return GG_OK, GG_ERR_BUSY (another process owns the mailbox, or others have all shares), GG_ERR_TIMEOUT,
 *         GG_ERR_DEVICE_LOST, or why the device could not be started. */
__attribute__((warn_unused_result)) int broker_attach(struct broker *broker, uint32_t role,
						      uint32_t timeout_ms);

/** Give the role back. After this a device that listens stays when its starter goes.
 * @return GG_OK, GG_ERR_TIMEOUT, GG_ERR_DEVICE_LOST. */
__attribute__((warn_unused_result)) int broker_detach(struct broker *broker, uint32_t timeout_ms);

/** Ask who uses the device. A broker of before knows the owner alone.
 * @return GG_OK, GG_ERR_TIMEOUT, GG_ERR_DEVICE_LOST. */
__attribute__((warn_unused_result)) int broker_hosts(struct broker *broker,
						     struct wire_hosts *hosts, uint32_t timeout_ms);

/** Change how many tasks a host may have on their way.
 * @return GG_OK, GG_ERR_ARGUMENT (no such host or number), GG_ERR_PERMISSION, GG_ERR_TIMEOUT, GG_ERR_DEVICE_LOST. */
__attribute__((warn_unused_result)) int broker_quota(struct broker *broker, uint32_t host,
						     uint32_t most, uint32_t timeout_ms);

/** End the device, also when its mailbox is held, and wait until its processes have ended.
 * @return GG_OK, GG_ERR_TIMEOUT (a process is still there), GG_ERR_BUSY (no room for this client), GG_ERR_PERMISSION (another
 *         user booted it). */
__attribute__((warn_unused_result)) int broker_shutdown(struct broker *broker, uint32_t timeout_ms);

/** Whether the device has ended; `message` says how. Never waits. */
int broker_lost(struct broker *broker);

/** Close everything. A device of this process alone ends; its QEMU has ended at the return. */
void broker_close(struct broker *broker);

#endif /* HOST_LIB_TRANSPORT_BROKER_CLIENT_H */
