/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Contexts: parts of the device's heap, with their modules.
 */
#ifndef HOST_LIB_CONTEXT_H
#define HOST_LIB_CONTEXT_H

#include "host/lib/device.h"

#define CONTEXT_ALIGN 4096u

/** Frees the host's side of a context and of its modules. */
void context_free(struct gg_context *context);

/**
 * Makes sure that no task of an earlier host runs any more: from then on the heap is ours. Takes
 * and releases the lock. Sets the failure. @return GG_ERR_BUSY, or as mailbox_call().
 */
enum gg_status settle(struct gg_device *device);

#endif /* HOST_LIB_CONTEXT_H */
