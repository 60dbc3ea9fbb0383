/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Feeds queue tasks: each operation changes the queue of a task, and then wakes the task.
 */
#ifndef FIRMWARE_CP_LIFE_FEED_H
#define FIRMWARE_CP_LIFE_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/queue.h"
#include "firmware/cp/task/task.h"

/** Push items into a queue (S0-R05).
 * @param from_itself  A CTA of the queue task pushes them; it may do so when the queue is closed.
 * @return             GG_OK; or GG_ERR_QUEUE_FULL, GG_ERR_QUEUE_CLOSED or GG_ERR_ARGUMENT, and nothing was pushed. */
enum gg_status feed_push(struct task *task, const struct queue_items *items, bool from_itself);

/** The dependence action INCREMENT_PUT: count items that are already in the ring. A refusal fails the queue task,
 * because there is nobody else to tell. Does nothing when the task has no queue. */
void feed_increment(struct task *task, uint32_t items);

/** Close a queue: the items in it still run, then the task is over. */
void feed_close(struct task *task);

/** Wake the queue tasks whose coalescing time-out has passed (S0-C4). */
void feed_run(void);

#endif /* FIRMWARE_CP_LIFE_FEED_H */
