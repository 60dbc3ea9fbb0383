/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The print buffer of a task: a part of its job that the device fills, and that becomes text.
 */
#ifndef HOST_LIB_MAILBOX_PRINT_H
#define HOST_LIB_MAILBOX_PRINT_H

#include "host/lib/mailbox/device.h"

/** Makes the output of a task that has completed from its print buffer, if it has one. Its job and
 * its module are still in place. The lock is held. */
void print_take(struct device *device, struct task *task);

#endif /* HOST_LIB_MAILBOX_PRINT_H */
