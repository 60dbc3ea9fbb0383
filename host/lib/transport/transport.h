/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How the library reaches a device: its memory, a doorbell to it, an interrupt from it.
 *
 * There are three kinds of transport, each in a unit of its own: a broker's device
 * (transport_broker.h), a window of a file (transport_file.h) and a line of bytes
 * (transport_link.h). This unit calls what the kind gives it in `struct transport_kind`. Statuses
 * are enum gg_status.
 *
 * Several threads may call transport_read(), _write(), _ring(), _lost() and _wait() at the same
 * time; the other functions are for one thread at a time.
 */
#ifndef HOST_LIB_TRANSPORT_TRANSPORT_H
#define HOST_LIB_TRANSPORT_TRANSPORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/lib/transport/layout.h"

struct transport;

/** What a kind of transport does. A function that may be NULL says what NULL means. */
struct transport_kind {
	size_t bytes; /**< Size of the kind's structure, which begins with a struct transport. */
	/** Copies device memory; NULL: all of it is mapped. */
	int (*read)(struct transport *transport, uint64_t offset, void *data, uint64_t bytes);
	int (*write)(struct transport *transport, uint64_t offset, const void *data,
		     uint64_t bytes);
	/** Interrupts the device. */
	int (*ring)(struct transport *transport);
	/** Waits for the device's interrupt. */
	int (*wait)(struct transport *transport, uint32_t timeout_ms);
	/** Looks whether the device has ended; the lock is held. NULL: `lost` is up to date. */
	bool (*has_ended)(struct transport *transport);
	/** Why the device ended, in words, or empty; NULL: the kind never knows. */
	const char *(*message)(const struct transport *transport);
	/** Where memory and capability block are; NULL: the other end does not tell. */
	void (*place)(const struct transport *transport, struct place *place);
	/** Milliseconds for which the device has stood still; NULL: the kind never knows. */
	uint64_t (*stood)(const struct transport *transport);
	/** Closes what the kind has opened; NULL: nothing. */
	void (*close)(struct transport *transport);
	/** Closes the descriptors in a child of fork(), where no lock may be taken; NULL: none. */
	void (*forked)(struct transport *transport);
};

/** What all kinds have in common. All but `lost` is constant once the transport is open. */
struct transport {
	const struct transport_kind *kind;
	uint64_t bytes;       /**< Bytes of device memory. */
	uint8_t *ram;         /**< Device memory in this process; NULL: it is not mapped. */
	uint64_t mapped;      /**< Bytes from `ram` on that are mapped. */
	int file;             /**< Our own descriptor of the mapped file; only if `ram` is set. */
	uint64_t file_offset; /**< Where device memory begins in the file. */
	bool read_only;       /**< Memory may only be read. */
	bool lost;            /**< The device is known to be gone. Guarded by the lock. */
	pthread_mutex_t lock; /**< Guards `lost`, and fields of a kind that say so. */
};

/** Makes a transport of a kind; the rest of its structure is all zero. @return NULL: no memory. */
struct transport *transport_new(const struct transport_kind *kind);

/** Maps `bytes` of a file as device memory. @return false: errno tells why. */
bool transport_map(struct transport *transport, int file, uint64_t offset, uint64_t bytes);

/** Opens the file that is mapped as device memory once more. Only while memory is mapped.
 * @param offset  Where device memory begins in the file.
 * @return a new descriptor, or -1: errno tells why. */
int transport_share(const struct transport *transport, uint64_t *offset);

/** The device's memory in this process, or NULL if it is not mapped; and its size. */
uint8_t *transport_ram(const struct transport *transport, uint64_t *bytes);

/** Where memory and capability block are, if the other end tells.
 * @return false: it does not tell; the caller has to look for them. */
bool transport_place(const struct transport *transport, struct place *place);

/** Copies device memory, mapped or not. The caller has checked the range.
 * @param offset  From the first byte of device memory.
 * @return GG_OK, GG_ERR_DEVICE_LOST, GG_ERR_BUSY (read-only), or the status with which the device
 *         refuses it; after an error `data` is all zeros. */
int transport_read(struct transport *transport, uint64_t offset, void *data, uint64_t bytes);
int transport_write(struct transport *transport, uint64_t offset, const void *data, uint64_t bytes);

/** Whether the device is known to be gone. */
bool transport_lost(struct transport *transport);

/** Whether memory may only be read. */
bool transport_read_only(const struct transport *transport);

/** Interrupts the device. @return GG_OK, GG_ERR_DEVICE_LOST, GG_ERR_UNSUPPORTED (read-only). */
__attribute__((warn_unused_result)) int transport_ring(struct transport *transport);

/** Waits for the device's interrupt.
 * @return GG_OK, GG_ERR_TIMEOUT, GG_ERR_DEVICE_LOST, GG_ERR_IO; GG_ERR_CANCELLED: a signal has come. For a device that cannot
 *         interrupt it returns GG_OK after a short time, so that the caller looks. */
__attribute__((warn_unused_result)) int transport_wait(struct transport *transport,
						       uint32_t timeout_ms);

/** Milliseconds for which a debugger, or QEMU's monitor, has stopped all harts of the device since it was booted; 0 where that
 * is not known. */
uint64_t transport_stood(const struct transport *transport);

/** How the device ended, in words; empty as long as it has not. */
const char *transport_message(struct transport *transport);

/** Leaves the device to the parent, in a child of fork(): closes what would keep it alive. Only calls
 * that are safe in a signal handler. The transport cannot be used any more. */
void transport_forked(struct transport *transport);

/** Closes everything; a private device ends with it. NULL does nothing. */
void transport_close(struct transport *transport);

#endif /* HOST_LIB_TRANSPORT_TRANSPORT_H */
