/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the broker and its clients say to each other.
 *
 * The socket is AF_UNIX, SOCK_SEQPACKET: one message is one packet, of fixed size. A client sends
 * requests, the broker answers each with one reply, in order; without being asked it sends
 * WIRE_LOST, once, as its last message. Numbers have the machine's byte order.
 */
#ifndef HOST_COMMON_WIRE_H
#define HOST_COMMON_WIRE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_MAGIC         0x4b524247u /**< The letters GBRK. */
#define WIRE_VERSION       1u          /**< Of everything in this file and in console.h. */
#define WIRE_MESSAGE_BYTES 1024u       /**< Longest text of a reply, its end included. */

/** What a message is. A reply has the kind of its request. */
enum wire_kind {
	WIRE_ATTACH = 1, /**< Use the device; argument: enum wire_role. Brings descriptors. */
	/** Give the role back; the socket stays good for another attach. From the client that started
	 * the broker it also means that the device is to stay when that client goes. */
	WIRE_DETACH = 2,
	WIRE_STATUS = 3,   /**< Ask for a reply; do nothing. */
	WIRE_SHUTDOWN = 4, /**< End the device; argument: 1 also when its mailbox is held. */
	WIRE_PAUSE = 5,    /**< Stop all harts. */
	WIRE_CONTINUE = 6, /**< Let them go on. */
	WIRE_LOST = 7,     /**< From the broker only: the device has ended, or never began, or
			    *   (GG_ERR_BUSY) there is no room for this client, or it is not served any more. */
	WIRE_HOSTS = 8,    /**< Ask who uses the device; the reply has `hosts`. */
	/** Change how many tasks a host may have on their way; argument: WIRE_QUOTA_HOST, _MOST. */
	WIRE_QUOTA = 9,
};

/** What a client may do. */
enum wire_role {
	WIRE_NONE = 0,
	WIRE_OWNER = 1, /**< Holds the mailbox: one at a time. Descriptors: enum wire_descriptor. */
	WIRE_OBSERVER = 2, /**< Only reads. Descriptors: RAM (read-only) and console. */
	/** Has a share of a device for several hosts, where WIRE_OWNER is refused as GG_ERR_UNSUPPORTED.
	 * Descriptors: enum wire_descriptor. */
	WIRE_HOST = 3,
};

#define WIRE_QUOTA_HOST_SHIFT 24u       /**< Argument of WIRE_QUOTA: number of the host above, */
#define WIRE_QUOTA_MOST       0xffffffu /**< tasks below. */
#define WIRE_HOSTS_MOST       8u        /**< Entries of `hosts` in a reply. */

/** Order of the descriptors in an attach reply. An observer's RAM comes first, then its console. */
enum wire_descriptor {
	WIRE_RAM,  /**< RAM, a memfd whose size cannot change. */
	WIRE_RING, /**< eventfd: a write is a doorbell to the device. Non-blocking. */
	/** eventfd: readable after the device's interrupt, or when a host has completions in its share.
	 * Non-blocking. */
	WIRE_INTERRUPT,
	WIRE_CONSOLE, /**< Console memory, see console.h; read-only. */
	WIRE_SHARE,   /**< Memory of a host's share, see share.h. */
	WIRE_DESCRIPTORS,
};

/** State of the device. Written by the broker. */
enum wire_state {
	WIRE_STARTING = 0,
	WIRE_RUNNING = 1,
	WIRE_PAUSED = 2, /**< By WIRE_PAUSE, by a debugger, or by -S. */
	WIRE_ENDED = 3,
};

/** A client's message. */
struct wire_request {
	uint32_t magic;    /**< WIRE_MAGIC. */
	uint32_t version;  /**< WIRE_VERSION. */
	uint32_t kind;     /**< enum wire_kind. */
	uint32_t argument; /**< By kind; otherwise 0. */
};

/** The device, as the broker knows it. */
struct wire_device {
	uint64_t ram_base;   /**< Device address of RAM. */
	uint64_t ram_bytes;  /**< Size of RAM. */
	uint64_t abi_offset; /**< Offset of the capability block in RAM, in bytes. */
	uint32_t xlen;       /**< 32 or 64. */
	uint32_t sms;        /**< SMs, that is, harts without the control processor. */
	uint32_t state;      /**< enum wire_state. */
	uint32_t observers;  /**< Number of observers. */
	int32_t broker_pid;  /**< Process of the broker. */
	int32_t qemu_pid;    /**< Process of QEMU; 0 when there is none. */
	int32_t owner_pid;   /**< Process that holds the mailbox; 0 when nobody does. */
	int32_t exit_code;   /**< Once ENDED: QEMU's exit status, or minus its signal. */
	char board[32];      /**< Name of the board. */
	char folder[512];    /**< build/<board>, absolute: where the images are. */
};

/** What a host's share is doing. Written by the broker. */
enum wire_share {
	WIRE_SHARE_FREE = 0,     /**< Nobody has it. */
	WIRE_SHARE_HELD = 1,     /**< A host has it. */
	WIRE_SHARE_CLEANING = 2, /**< Its host has gone: what it left is ended and cleared. */
};

/** A host, or a share that none has. */
struct wire_host {
	uint32_t state;         /**< enum wire_share. */
	int32_t pid;            /**< Process; the last one while CLEANING. */
	uint32_t uid;           /**< User of that process. */
	uint32_t first_channel; /**< First channel. */
	uint32_t channels;      /**< Number of channels. */
	uint32_t most;     /**< Tasks that it may have on their way; 0: the device's own limits. */
	uint32_t on_way;   /**< Commands on their way, as the host counts them. */
	uint32_t reserved; /**< 0. */
	uint64_t heap;     /**< Address of its part of the heap. */
	uint64_t heap_bytes; /**< Bytes of that part. */
	uint64_t completed;  /**< Completions of all hosts that had this share. */
};

/** Who uses the device. */
struct wire_hosts {
	uint32_t count; /**< Hosts that it is for; 1: one owner has all of it. */
	uint32_t reserved;
	struct wire_host list[WIRE_HOSTS_MOST];
};

/** The broker's message. */
struct wire_reply {
	uint32_t magic;   /**< WIRE_MAGIC. */
	uint32_t version; /**< WIRE_VERSION. */
	uint32_t kind;    /**< enum wire_kind. */
	int32_t status;   /**< enum gg_status. */
	struct wire_device device;
	union {
		/** What went wrong, in words; empty when status is GG_OK. */
		char message[WIRE_MESSAGE_BYTES];
		struct wire_hosts hosts; /**< Of WIRE_HOSTS, when status is GG_OK. */
	};
};

static_assert(sizeof(struct wire_request) == 16, "fixed on the wire");
static_assert(sizeof(struct wire_device) == 600, "no padding on the wire");
static_assert(sizeof(struct wire_hosts) == 8 + WIRE_HOSTS_MOST * 56, "no padding on the wire");
static_assert(sizeof(struct wire_reply) == 16 + 600 + WIRE_MESSAGE_BYTES, "fixed on the wire");

/** Send one packet, or some bytes of a stream, with descriptors; never waits, raises no signal.
 * @return 0, or a negative errno: -EAGAIN when the other side does not read. */
__attribute__((warn_unused_result)) int wire_send(int socket, const void *data, size_t bytes,
						  const int *descriptors, unsigned count);

/** Receive one packet; never waits.
 * @param descriptors  Room for `room` descriptors, closed on exec; those that did not come are -1.
 *                     May be NULL when room is 0: then none is received.
 * @param flags        0 or MSG_PEEK (with no room for descriptors).
 * @return Bytes, 0 at the end of the connection, or a negative errno: -EAGAIN when there is
 *         nothing, -EMSGSIZE when the packet was longer. */
__attribute__((warn_unused_result)) int wire_receive(int socket, void *data, size_t bytes,
						     int *descriptors, unsigned room, int flags);

#endif /* HOST_COMMON_WIRE_H */
