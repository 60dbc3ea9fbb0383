/* SPDX-License-Identifier: Apache-2.0 */
/* A control processor without queue tasks (firmware/cp/part.h): no task has a queue. */
#include <stddef.h>

#include "firmware/cp/queue.h"

void queue_init(void)
{
}

bool queue_open(struct task *task)
{
	(void)task;
	return false;
}

void queue_give(struct task *task)
{
	(void)task;
}

enum gg_status queue_push(struct task *task, const struct queue_items *items, bool from_itself)
{
	(void)task;
	(void)items;
	(void)from_itself;
	return GG_ERR_UNSUPPORTED;
}

void queue_increment(struct task *task, uint32_t items)
{
	(void)task;
	(void)items;
}

void queue_close(struct task *task)
{
	(void)task;
}

uint32_t queue_room(const struct task *task)
{
	(void)task;
	return 0;
}

void queue_take(struct task *task, uint32_t ctas, uint32_t *position, uint32_t *last)
{
	(void)task;
	(void)ctas;
	(void)position;
	(void)last;
}

void queue_ended(struct task *task, uint32_t number)
{
	(void)task;
	(void)number;
}

bool queue_is_finished(const struct task *task)
{
	(void)task;
	return true;
}

uint32_t queue_outstanding(const struct task *task)
{
	(void)task;
	return 0;
}

void queue_poll(void)
{
}

uint64_t queue_deadline(void)
{
	return UINT64_MAX;
}
