/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Modules: kernel ELFs that lie in a context.
 */
#ifndef HOST_LIB_MODULE_H
#define HOST_LIB_MODULE_H

#include "host/lib/device.h"

/** Frees the host's side of a module. */
void module_free(struct gg_module *module);

/** Is there a module at an address of the context? The lock is held. */
bool module_is_at(const struct gg_context *context, uint64_t address);

#endif /* HOST_LIB_MODULE_H */
