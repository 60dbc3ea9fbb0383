/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Makes a device of a transport, and closes it.
 */
#ifndef HOST_LIB_MAILBOX_DEVICE_OPEN_H
#define HOST_LIB_MAILBOX_DEVICE_OPEN_H

#include "host/lib/mailbox/device.h"

/** What a transport found out about a device. */
struct device_facts {
	struct place place;
	uint8_t *ram;               /**< RAM in this process, or NULL. */
	bool observer;              /**< Memory may only be read. */
	bool fresh;                 /**< It was booted for us, so no host used it before. */
	int32_t qemu_pid;           /**< Process of the emulator, or 0. */
	const char *board;          /**< Name of the board, or empty. */
	struct share_memory *share; /**< This host's share, or NULL: it has all of the device. */
};

/**
 * Makes a device once its firmware is ready; takes the transport over, also after an error. Sets the
 * failure. @return GG_ERR_ABI_MAGIC, _ABI_VERSION, _PANIC, _DEVICE_LOST, _NO_MEMORY.
 */
enum gg_status device_open(struct transport *transport, const struct device_facts *facts,
			   uint32_t timeout_ms, struct gg_device **device);

/** Releases the handle of a device with all that it has, and ends the waits for it with
 * GG_ERR_DEVICE_LOST. The device ends with the last call that uses it. Sets the failure. @return
 * GG_ERR_HANDLE: another thread was faster. */
enum gg_status device_close(const struct handle_use *use);

#endif /* HOST_LIB_MAILBOX_DEVICE_OPEN_H */
