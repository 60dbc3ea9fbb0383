/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The broker's own use of the device, when several hosts share it: it takes all completions, resets channels, posts a
 * command now and then, and clears memory.
 *
 * Hosts can write to the same memory, so what is read there is checked, or only ever used modulo a ring's size.
 */
#ifndef HOST_BROKER_MAILBOX_H
#define HOST_BROKER_MAILBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "host/broker/qemu.h"
#include "host/common/wire.h"

/** The device's mailbox; all zero: not open yet. */
struct mailbox {
	uint8_t *ram;      /**< All of RAM; NULL: not open. */
	uint64_t bytes;    /**< Its bytes. */
	uint64_t base;     /**< Device address of its first byte. */
	uint8_t *window;   /**< The capability block in it. */
	struct gg_cap cap; /**< A copy, checked. */
	int file;          /**< Descriptor of RAM. */
	int ring;          /**< eventfd of the doorbell to the device. */
	uint32_t get;      /**< Completions taken. */
};

/** Look whether the firmware is ready, and open its mailbox. Does nothing if it is open.
 * @param message  Why not, in words, when the result is not GG_OK.
 * @return GG_OK, GG_ERR_TIMEOUT (not ready yet: look again), GG_ERR_PANIC, GG_ERR_ABI_VERSION (a firmware that cannot be
 *         shared), GG_ERR_NO_MEMORY. */
__attribute__((warn_unused_result)) int mailbox_open(struct mailbox *mailbox,
						     const struct qemu *qemu,
						     const struct wire_device *device,
						     char *message, size_t size);

/** Take the next completion. Its channel is one that there is.
 * @return false: there is none. */
bool mailbox_take(struct mailbox *mailbox, struct gg_completion *completion);

/** Tell the device which completions were taken.
 * @param full  Whether the ring was full: the device may wait for room. */
void mailbox_taken(const struct mailbox *mailbox, bool full);

/** How often the control processor has booted again. @param known  What it was; returned while it boots. */
uint32_t mailbox_resets(const struct mailbox *mailbox, uint32_t known);

/** Completions that the ring has now. */
uint32_t mailbox_waiting(const struct mailbox *mailbox);

/** Ask for the reset of a channel: commands that were not taken are gone, and it is open. */
void mailbox_reset(const struct mailbox *mailbox, uint32_t channel);

/** Whether that reset is done. */
bool mailbox_is_reset(const struct mailbox *mailbox, uint32_t channel);

/** Post a command to a channel that nobody else uses and that has room, and ring the doorbell. */
void mailbox_post(const struct mailbox *mailbox, uint32_t channel,
		  const struct gg_command *command);

/** Clear device memory. @param address, bytes  Multiples of 4 KiB, inside RAM. */
void mailbox_clear(const struct mailbox *mailbox, uint64_t address, uint64_t bytes);

#endif /* HOST_BROKER_MAILBOX_H */
