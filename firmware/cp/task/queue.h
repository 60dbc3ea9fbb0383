/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The queues of queue tasks: work items in a ring, and the CTAs that take them (S0-R05, S0-R06). Owns `task->queue`.
 *
 * The ring lies in device memory. Its counts are private to the CP, and only the CP changes them, so any number of
 * producers (host, kernels, other tasks) need no protocol among themselves:
 *
 *      freed ≤ taken ≤ put ≤ freed + capacity
 *
 * Items are *taken* when a CTA is issued for them. Their places are *freed* when that CTA and all CTAs before it
 * have ended. A push for which there is not enough room is refused as a whole.
 *
 * `task->work.left` is the number of CTAs that can be issued for the items in the queue: one for every N items, and
 * one for the rest when the rest reaches the threshold, the coalescing time-out has passed, or the queue is closed. While
 * there are CTAs that were lost, `task->work.position` is the number of one of them, and it is one more. It has its items and its
 * place in the window already.
 */
#ifndef FIRMWARE_CP_TASK_QUEUE_H
#define FIRMWARE_CP_TASK_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/kind.h"
#include "firmware/cp/task/task.h"

#define QUEUE_WINDOW   128u  /**< Most CTAs from the oldest that has not ended to the newest. */
#define QUEUE_PUSH     4096u /**< Most bytes of a push. */
#define QUEUE_NEVER    UINT32_MAX /**< Value of `coalesce_us` for no time-out. */
#define QUEUE_IN_PLACE 0u         /**< Source address of items that are already in the ring. */

/** The state of a queue task's queue. It occupies a place of the task pool. */
struct queue {
	struct task *due_next;     /**< Next task in the list of deadlines, earliest first. */
	struct task *due_previous; /**< Previous task in that list. */
	uint64_t ring;             /**< Device address of the ring. */
	uint64_t put;              /**< Items pushed so far. */
	uint64_t taken;            /**< Items given to CTAs so far. */
	uint64_t freed;            /**< Items whose places have been freed so far. */
	uint64_t deadline; /**< End of the coalescing time-out, in ticks; 0 when none is running. */
	uint32_t capacity; /**< Items that the ring holds. */
	uint32_t place;    /**< Ring place of the next pushed item: put modulo capacity. */
	uint32_t position; /**< Number of the next item to take, modulo `wrap`. */
	uint32_t wrap;     /**< A multiple of `capacity`: number % capacity is an item's place. */
	uint32_t item_bytes;     /**< Bytes of an item. */
	uint32_t items;          /**< Items that a full CTA takes, N. */
	uint32_t threshold;      /**< Fewest items that start a CTA without a time-out. */
	uint32_t coalesce_ticks; /**< Coalescing time-out, in ticks; QUEUE_NEVER for none. */
	uint32_t oldest;         /**< Number of the oldest CTA that has not ended; wraps at 2^32. */
	uint32_t next;           /**< Number of the next CTA. */
	bool closed;             /**< Only CTAs of the task itself may push. */
	bool late; /**< The time-out has passed for the items that are in the queue. */
	/** CTAs from `oldest` on that have ended: a bitmap by number modulo QUEUE_WINDOW. */
	uint32_t ended[QUEUE_WINDOW / 32];
	uint16_t counts[QUEUE_WINDOW]; /**< Items of each CTA, by its number modulo QUEUE_WINDOW. */
};

/** Items to push. */
struct queue_items {
	/** CP pointer to them, 4-byte aligned; NULL when they are in the ring. */
	const void *from;
	uint32_t count; /**< Number of items, not 0. */
	uint64_t bytes; /**< Bytes that may be read at `from`. */
};

/** Empty the list of deadlines. */
void queue_init(void);

/** The descriptor of queue tasks; it opens their queues and gives them back. */
extern const struct task_kind queue_kind;

/** Push items (S0-R05). The operations of this unit change only the queue and `task->work.left`; life/feed.h has
 * operations that also do what follows for the task.
 * @param from_itself  Whether a CTA of the queue task pushes; it may push to a closed queue.
 * @return             GG_OK, or GG_ERR_QUEUE_FULL, _QUEUE_CLOSED or _ARGUMENT; nothing is pushed then. */
enum gg_status queue_push(struct task *task, const struct queue_items *items, bool from_itself);

/** Close a queue: the items in it still run, and then the task is over (S0-R06). */
void queue_close(struct task *task);

/** Update which CTA is next: one that was lost (retry.h), if there are any; and how many can be issued: that one, and those for
 * which there are items (S0-C3, S0-C4). Starts or ends the time-out for the rest of the items. */
void queue_count(struct task *task);

/** How many CTAs may still be issued before the window of QUEUE_WINDOW CTAs is full; 1 if the next one was lost. */
uint32_t queue_room(const struct task *task);

/** Take the items of the next CTAs, or find those of one that was lost, and move `task->work.position` on.
 * @param ctas           1 to the smaller of task->work.left and queue_room().
 * @param[out] position  Number of the first item.
 * @param[out] last      Items of the last CTA; the others have N each. */
void queue_take(struct task *task, uint32_t ctas, uint32_t *position, uint32_t *last);

/** Note that a CTA has ended, and free the places of items that no CTA needs now.
 * @param number  Number of the CTA, as in its packet. */
void queue_ended(struct task *task, uint32_t number);

/** Whether a task's queue is closed and all its items have been taken. */
bool queue_is_finished(const struct task *task);

/** Number of items that were pushed and not taken yet. */
uint32_t queue_outstanding(const struct task *task);

/** Find a queue task whose coalescing time-out has passed, and let a CTA start with the items that it has (S0-C4).
 * @return  The task, or NULL when no time-out has passed. */
struct task *queue_take_late(void);

/** When the next time-out ends, in ticks; UINT64_MAX for none. */
uint64_t queue_deadline(void);

#endif /* FIRMWARE_CP_TASK_QUEUE_H */
