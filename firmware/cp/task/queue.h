/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Queue tasks: work items in a circular queue, and the CTAs that take them (S0-R05, S0-R06).
 *
 * The ring lies in device memory; its counts are private to the CP, which is the only one that moves them,
 * so any number of producers (host, kernels, other tasks) need no protocol between them:
 *
 *      freed ≤ taken ≤ put ≤ freed + capacity
 *
 * Items are *taken* when a CTA is issued for them and their places are *freed* when that CTA and all
 * before it have ended. A push without room is refused whole.
 *
 * `task->left` is the number of CTAs that the items make now: those with N items, and one of
 * fewer when there are enough of them, or the coalescing time-out has passed, or the queue is closed.
 */
#ifndef FIRMWARE_CP_TASK_QUEUE_H
#define FIRMWARE_CP_TASK_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/kind.h"
#include "firmware/cp/task/task.h"

#define QUEUE_WINDOW   128u       /**< CTAs from the oldest not ended to the newest, at most. */
#define QUEUE_PUSH     4096u      /**< Bytes of a push, at most. */
#define QUEUE_NEVER    UINT32_MAX /**< `coalesce_us`: no time-out. */
#define QUEUE_IN_PLACE 0u         /**< Source of items that are in the ring already. */

/** A queue: dynamic state of a queue task. It takes a place of the task pool. */
struct queue {
	struct task *due_next;     /**< Next of the tasks with a deadline, earliest first. */
	struct task *due_previous; /**< Previous of them. */
	uint64_t ring;             /**< Device address of the ring. */
	uint64_t put;              /**< Items pushed. */
	uint64_t taken;            /**< Items given to CTAs. */
	uint64_t freed;            /**< Items whose places are free again. */
	uint64_t deadline;         /**< End of the coalescing time-out, in ticks; 0: none runs. */
	uint32_t capacity;         /**< Items that the ring holds. */
	uint32_t place;      /**< Place of the next item that is pushed: put modulo capacity. */
	uint32_t position;   /**< Number of the next item that is taken, modulo `wrap`. */
	uint32_t wrap;       /**< A multiple of the capacity: a CTA finds its items by numbers. */
	uint32_t item_bytes; /**< Bytes of an item. */
	uint32_t items;      /**< Items of a CTA, N. */
	uint32_t threshold;  /**< Items that start a CTA. */
	uint32_t coalesce_ticks; /**< Coalescing time-out; QUEUE_NEVER for none. */
	uint32_t oldest;         /**< Number of the oldest CTA that has not ended. */
	uint32_t next;           /**< Number of the next CTA. */
	bool closed;             /**< Nobody but its own CTAs may push. */
	bool late;               /**< The time-out has passed for the items that are there. */
	uint32_t ended[QUEUE_WINDOW / 32]; /**< CTAs from `oldest` on that have ended, by number. */
	uint16_t counts[QUEUE_WINDOW];     /**< Items of each CTA, by number. */
};

/** Items to copy into a ring. */
struct queue_items {
	const void *from; /**< Where the CP sees them, 4-byte aligned; NULL: they are in place. */
	uint32_t count;   /**< Items, not 0. */
	uint64_t bytes;   /**< Bytes that may be read there. */
};

/** Forget all deadlines. */
void queue_init(void);

/** The kind of queue tasks: opens and gives back their queues. */
extern const struct task_kind queue_kind;

/** Push items (S0-R05). These operations change the queue and `task->left`, nothing else; life/feed.h has them with
 * what follows for the task.
 * @param from_itself  By a CTA of the queue task: then it may be closed.
 * @return             GG_OK, GG_ERR_QUEUE_FULL, _QUEUE_CLOSED, _ARGUMENT; then nothing is pushed. */
enum gg_status queue_push(struct task *task, const struct queue_items *items, bool from_itself);

/** Close a queue: what is in it runs, then the task is over. */
void queue_close(struct task *task);

/** CTAs that may be issued beyond those in flight: the window's rest. */
uint32_t queue_room(const struct task *task);

/** Take the items of the next CTAs.
 * @param ctas            1 to the smaller of left and queue_room().
 * @param[out] position   Number of the first item.
 * @param[out] last       Items of the last CTA. */
void queue_take(struct task *task, uint32_t ctas, uint32_t *position, uint32_t *last);

/** A CTA has ended: number as in its packet. */
void queue_ended(struct task *task, uint32_t number);

/** Whether it is closed and all its items are taken. */
bool queue_is_finished(const struct task *task);

/** Items pushed and not taken. */
uint32_t queue_outstanding(const struct task *task);

/** Take the next queue task whose time-out has passed: it takes effect (S0-C4).
 * @return  NULL when none has. */
struct task *queue_take_late(void);

/** The next time-out, in ticks; UINT64_MAX for none. */
uint64_t queue_deadline(void);

#endif /* FIRMWARE_CP_TASK_QUEUE_H */
