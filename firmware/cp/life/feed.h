/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Items for queue tasks, with what follows for the tasks: each operation changes the queue, then wakes its task.
 */
#ifndef FIRMWARE_CP_LIFE_FEED_H
#define FIRMWARE_CP_LIFE_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/queue.h"
#include "firmware/cp/task/task.h"

/** Push items (S0-R05).
 * @param from_itself  By a CTA of the queue task: then the queue may be closed.
 * @return             GG_OK, GG_ERR_QUEUE_FULL, _QUEUE_CLOSED, _ARGUMENT; then nothing is pushed. */
enum gg_status feed_push(struct task *task, const struct queue_items *items, bool from_itself);

/** The action INCREMENT_PUT: items are in the ring already. Nobody is there to be told of a refusal, so it fails
 * the queue task. Nothing when the task has no queue. */
void feed_increment(struct task *task, uint32_t items);

/** Close a queue: what is in it runs, then the task is over. */
void feed_close(struct task *task);

/** Look at the clock: time-outs that have passed take effect (S0-C4). */
void feed_run(void);

#endif /* FIRMWARE_CP_LIFE_FEED_H */
