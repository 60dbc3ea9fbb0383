/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The report of a task graph: a part of its job that the device fills.
 */
#ifndef HOST_LIB_MAILBOX_REPORT_H
#define HOST_LIB_MAILBOX_REPORT_H

#include "host/lib/mailbox/device.h"

/** Copies the report of a task that has ended, if it has one. The lock is held. */
void report_take(struct device *device, struct task *task);

#endif /* HOST_LIB_MAILBOX_REPORT_H */
