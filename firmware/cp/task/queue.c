/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/queue.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/task/retry.h"
#include "hal/timer.h"

_Static_assert(sizeof(struct queue) <= offsetof(struct task, serial),
	       "a queue fits into a place, and leaves the serial alone");

static struct task *due; /* tasks whose time-out is running; the earliest deadline is first */

void queue_init(void)
{
	due = NULL;
}

static void due_remove(struct task *task)
{
	struct queue *queue = task->queue;

	if (queue->deadline == 0) {
		return;
	}
	if (queue->due_previous != NULL) {
		queue->due_previous->queue->due_next = queue->due_next;
	} else {
		due = queue->due_next;
	}
	if (queue->due_next != NULL) {
		queue->due_next->queue->due_previous = queue->due_previous;
	}
	queue->deadline = 0;
}

/* A task goes behind those with the same deadline, so equal time-outs end in the order in which they began. The walk
 * is short, because only queues with too few items are in the list. */
static void due_add(struct task *task, uint64_t deadline)
{
	struct task *previous = NULL;
	struct task *next = due;

	while (next != NULL && next->queue->deadline <= deadline) {
		previous = next;
		next = next->queue->due_next;
	}
	due_set(DUE_FEED);
	task->queue->deadline = deadline;
	task->queue->due_previous = previous;
	task->queue->due_next = next;
	if (next != NULL) {
		next->queue->due_previous = task;
	}
	if (previous != NULL) {
		previous->queue->due_next = task;
	} else {
		due = task;
	}
}

uint32_t queue_outstanding(const struct task *task)
{
	return (uint32_t)(task->queue->put - task->queue->taken);
}

/* Whether the next CTA to issue was lost: it has a number and items already. */
static bool is_again(const struct task *task)
{
	return part_is_here(GG_FEATURE_RETRIES) && gg_low(task->work.position) != task->queue->next;
}

void queue_count(struct task *task)
{
	struct queue *queue = task->queue;

	if (retry_has(task) && !is_again(task)) {
		retry_take(task);
	}
	const uint32_t outstanding = queue_outstanding(task);
	const uint32_t ctas = outstanding / queue->items;
	const uint32_t rest = outstanding - ctas * queue->items;

	const bool starts = rest >= queue->threshold || queue->closed || queue->late ||
			    queue->coalesce_ticks == 0;

	task->work.left = is_again(task) + ctas + (rest != 0 && starts ? 1 : 0);
	if (rest == 0 || starts || queue->coalesce_ticks == QUEUE_NEVER) {
		due_remove(task);
	} else if (queue->deadline == 0) {
		due_add(task, timer_now() + queue->coalesce_ticks);
	}
}

static uint32_t ticks_of(uint32_t us)
{
	return us == QUEUE_NEVER ? QUEUE_NEVER : device_ticks(us);
}

static void queue_advance(struct queue *queue, uint32_t count)
{
	const uint32_t straight = queue->capacity - queue->place;

	queue->put += count;
	queue->place = count < straight ? queue->place + count : count - straight;
}

static bool queue_open(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint32_t minimum = gg_get(tmd->queue_items, GG_TMD_QUEUE_MINIMUM);
	struct queue *queue = task_take_place();

	if (queue == NULL) {
		return task_refuse(task, GG_ERR_NO_MEMORY, 0, 0);
	}
	memset(queue, 0, sizeof(*queue));
	queue->ring = gg_join(tmd->queue_lo, tmd->queue_hi);
	queue->capacity = tmd->queue_capacity;
	queue->item_bytes = tmd->queue_item_bytes;
	queue->items = gg_get(tmd->queue_items, GG_TMD_QUEUE_ITEMS);
	queue->threshold = minimum != 0 ? minimum : queue->items;
	queue->coalesce_ticks = ticks_of(tmd->coalesce_us);
	queue->wrap = tmd->queue_capacity * (INT32_MAX / tmd->queue_capacity);
	queue->closed = gg_get(tmd->header, GG_TMD_CLOSED) != 0;
	queue_advance(queue, tmd->queue_outstanding);
	task->queue = queue;
	queue_count(task);
	return true;
}

static void queue_give(struct task *task)
{
	if (task->queue != NULL) {
		due_remove(task);
		task_give_place(task->queue);
		task->queue = NULL;
	}
}

const struct task_kind queue_kind = { .open = queue_open, .give = queue_give };

/* Copies in two parts when the items go past the end of the ring. */
static void queue_copy(const struct queue *queue, const unsigned char *from, uint32_t count)
{
	uint32_t place = queue->place;

	while (count != 0) {
		const uint32_t straight = queue->capacity - place;
		const uint32_t items = count < straight ? count : straight;
		const uint64_t to = queue->ring + (uint64_t)place * queue->item_bytes;
		const uintptr_t bytes = (uintptr_t)items * queue->item_bytes;

		unsigned char *const into = (unsigned char *)device_words(to);

		/* The source may lie in the ring itself. The C library's memmove goes byte by byte. */
		if (PART_FAST && (uintptr_t)(into - from) >= bytes &&
		    (uintptr_t)(from - into) >= bytes) {
			memcpy(into, from, bytes);
		} else {
			memmove(into, from, bytes);
		}
		from += bytes;
		count -= items;
		place = 0;
	}
}

enum gg_status queue_push(struct task *task, const struct queue_items *items, bool from_itself)
{
	struct queue *queue = task->queue;
	const uint64_t bytes = (uint64_t)items->count * queue->item_bytes;

	if (task_has_failed(task) || (queue->closed && !from_itself)) {
		return GG_ERR_QUEUE_CLOSED;
	}
	if (items->count == 0 ||
	    (items->from != NULL && (bytes > items->bytes || bytes > QUEUE_PUSH))) {
		return GG_ERR_ARGUMENT;
	}
	if (items->count > queue->capacity - (queue->put - queue->freed)) {
		return GG_ERR_QUEUE_FULL;
	}
	if (items->from != NULL) {
		queue_copy(queue, items->from, items->count);
	}
	if (queue_outstanding(task) % queue->items + items->count >= queue->items) {
		/* the items that waited now start a full CTA; the time-out does not apply to the rest */
		due_remove(task);
		queue->late = false;
	}
	queue_advance(queue, items->count);
	queue_count(task);
	return GG_OK;
}

void queue_close(struct task *task)
{
	task->queue->closed = true;
	queue_count(task);
}

uint32_t queue_room(const struct task *task)
{
	return is_again(task) ? 1 : QUEUE_WINDOW - (task->queue->next - task->queue->oldest);
}

__attribute__((noinline)) void queue_take(struct task *task, uint32_t ctas, uint32_t *position,
					  uint32_t *last)
{
	struct queue *queue = task->queue;
	uint32_t number = gg_low(task->work.position);

	*position = queue->position;
	if (is_again(task)) {
		*last = queue->counts[number % QUEUE_WINDOW];
		ctas = 0;
	}
	for (; number != queue->next; number++) { /* its items are behind those of the next CTA */
		*position -= queue->counts[number % QUEUE_WINDOW];
		*position += *position > queue->wrap ? queue->wrap : 0;
	}
	for (uint32_t cta = 0; cta < ctas; cta++) {
		const uint32_t outstanding = queue_outstanding(task);
		const uint32_t place = queue->next % QUEUE_WINDOW;

		*last = outstanding < queue->items ? outstanding : queue->items;
		assert(*last != 0 && queue->next - queue->oldest < QUEUE_WINDOW);
		queue->counts[place] = (uint16_t)*last;
		bits_clear(queue->ended, place);
		queue->taken += *last;
		queue->next++;
		queue->position += *last;
		if (queue->position >= queue->wrap) {
			queue->position -= queue->wrap;
		}
	}
	if (queue_outstanding(task) == 0) {
		queue->late = false; /* the time-out was for items that have been taken */
	}
	task->work.position += queue->next - gg_low(task->work.position);
	task->back.losses = 0;
	queue_count(task);
}

static bool has_ended(const struct queue *queue, uint32_t number)
{
	return bits_has(queue->ended, number % QUEUE_WINDOW);
}

__attribute__((noinline)) void queue_ended(struct task *task, uint32_t number)
{
	struct queue *queue = task->queue;

	assert(number - queue->oldest < queue->next - queue->oldest);
	bits_set(queue->ended, number % QUEUE_WINDOW);
	while (queue->oldest != queue->next && has_ended(queue, queue->oldest)) {
		queue->freed += queue->counts[queue->oldest % QUEUE_WINDOW];
		queue->oldest++;
	}
}

bool queue_is_finished(const struct task *task)
{
	return task->queue->closed && queue_outstanding(task) == 0;
}

struct task *queue_take_late(void)
{
	struct task *task = due;

	if (task == NULL || task->queue->deadline > timer_now()) {
		return NULL;
	}
	due_remove(task);
	task->queue->late = true;
	queue_count(task);
	return task;
}

uint64_t queue_deadline(void)
{
	return due != NULL ? due->queue->deadline : UINT64_MAX;
}
