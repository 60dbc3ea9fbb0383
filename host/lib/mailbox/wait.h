/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Waits for tasks.
 */
#ifndef HOST_LIB_MAILBOX_WAIT_H
#define HOST_LIB_MAILBOX_WAIT_H

#include "host/lib/mailbox/device.h"

/** Waits until a task completed, as gg_task_wait(). Takes and releases the lock. */
enum gg_status task_wait(struct task *task, uint32_t timeout_ms, struct gg_done *done);

/** Waits until one of several tasks of a device completed, as gg_task_wait_any(). Takes and releases
 * the lock. @param count  Not 0. */
enum gg_status task_wait_any(const struct handle_use *uses, uint32_t count, uint32_t timeout_ms,
			     uint32_t *index);

/** Waits until another task than those counted in `completed` completed, as gg_completions_wait(). Takes and releases
 * the lock. */
enum gg_status task_wait_others(struct device *device, uint32_t timeout_ms, uint64_t *completed);

#endif /* HOST_LIB_MAILBOX_WAIT_H */
