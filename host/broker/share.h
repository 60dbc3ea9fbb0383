/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A host's share of the device: what it holds, and how it becomes free again when its host has gone.
 *
 * What a host leaves behind goes in this order: its channels are reset, so that nothing more is taken from them; the
 * tasks that came from them are cancelled; fences tell when all of them have ended; its kept graphs are freed; its part
 * of the heap is cleared. Each step waits for the device, so share_clean() is called again until the share is free.
 */
#ifndef HOST_BROKER_SHARE_H
#define HOST_BROKER_SHARE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/broker/mailbox.h"
#include "host/common/share.h"
#include "host/common/wire.h"

/** Kept graphs of a device, at most. The places of two that there are at the same time are different, and a place is the
 * handle modulo this number. */
#define SHARE_GRAPHS 64u

/** A share. */
struct share {
	uint32_t state;              /**< enum wire_share. */
	uint32_t first_channel;      /**< First channel. */
	uint32_t channels;           /**< Number of channels. */
	uint64_t heap;               /**< Address of its part of the heap. */
	uint64_t heap_bytes;         /**< Bytes of that part. */
	uint32_t park_page;          /**< Where CTAs of all hosts are parked, or 0. */
	uint32_t most;               /**< Tasks that its host may have on their way. */
	uint64_t completed;          /**< Completions until now. */
	pid_t pid;                   /**< Process that has it, or had it. */
	uid_t uid;                   /**< User of that process. */
	struct share_memory *memory; /**< What host and broker have in common; NULL unless HELD. */
	int file;                    /**< Descriptor of that memory, or -1. */
	int interrupt;               /**< eventfd that wakes the host, or -1. */
	bool news;                   /**< The host was given completions, and not woken since. */
	/** Handles of graphs that the host may have kept, by place; 0: none. */
	uint32_t graphs[SHARE_GRAPHS];
	uint32_t step;  /**< CLEANING: steps that are done; see share_clean(). */
	bool asked;     /**< CLEANING: the command of this step was posted. */
	bool answered;  /**< CLEANING: it has completed. */
	int32_t status; /**< CLEANING: with this status. */
};

/** Give a share that is FREE to a process: makes the memory and the eventfd. `number` is that of the share, `turn` tells this
 * host from all before it, from 1 on; `resets` is for share_memory.
 * @return false: no memory, or no descriptors; it is FREE. */
__attribute__((warn_unused_result)) bool share_give(struct share *share, uint32_t number,
						    uint32_t turn, bool manages, uint32_t resets);

/** Take a share from its host: what the host left is to be cleaned. */
void share_leave(struct share *share, const struct mailbox *mailbox);

/** The control processor has booted again, `resets` times by now: nothing of this share is on its way any more. A host is
 * told, and resets its channels; those of others are reset here. */
void share_restart(struct share *share, const struct mailbox *mailbox, uint32_t resets);

/** Hand a completion to the share that its channel belongs to.
 * @return false: the ring is full, since the host keeps no count; it must go. */
bool share_complete(struct share *share, const struct gg_completion *completion);

/** Wake the host if it was given completions. */
void share_wake(struct share *share);

/** Clean a share that is CLEANING, as far as that goes now; after the last step it is FREE. */
void share_clean(struct share *share, const struct mailbox *mailbox);

#endif /* HOST_BROKER_SHARE_H */
