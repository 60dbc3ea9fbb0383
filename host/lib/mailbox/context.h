/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The host's side of contexts and modules.
 */
#ifndef HOST_LIB_MAILBOX_CONTEXT_H
#define HOST_LIB_MAILBOX_CONTEXT_H

#include "host/lib/mailbox/device.h"

/** The types of their handles. */
extern const struct handle_type context_handles;
extern const struct handle_type module_handles;

/** Frees the host's side of a module that is in no context. */
void module_free(struct module *module);

/**
 * Releases the handle of a context or module in which no task runs, once no other call uses it; for
 * that it waits a second at most. Sets the failure. Takes and releases the lock.
 * @param running  Number of its tasks on their way.
 * @param name     "context" or "module", for messages.
 * @return GG_ERR_BUSY: tasks run in it, or calls use it.
 */
enum gg_status idle_release(struct handle_use *use, struct device *device, const uint32_t *running,
			    const char *name);

#endif /* HOST_LIB_MAILBOX_CONTEXT_H */
