/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The host's side of contexts and modules.
 */
#ifndef HOST_LIB_MAILBOX_CONTEXT_H
#define HOST_LIB_MAILBOX_CONTEXT_H

#include "host/lib/mailbox/device.h"

/** Frees the host's side of a context and of its modules. */
void context_free(struct gg_context *context);

/** Frees the host's side of a module. */
void module_free(struct gg_module *module);

#endif /* HOST_LIB_MAILBOX_CONTEXT_H */
