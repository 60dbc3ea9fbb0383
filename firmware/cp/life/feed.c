/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/life/feed.h"

#include <stddef.h>

#include "firmware/cp/base/due.h"
#include "firmware/cp/life/life.h"

enum gg_status feed_push(struct task *task, const struct queue_items *items, bool from_itself)
{
	const enum gg_status status = queue_push(task, items, from_itself);

	if (status == GG_OK) {
		life_wake(task);
	}
	return status;
}

void feed_increment(struct task *task, uint32_t count)
{
	const struct queue_items items = { .from = NULL, .count = count };

	if (task_queue(task) == NULL) {
		return;
	}
	const enum gg_status status = feed_push(task, &items, false);

	if (status != GG_OK) {
		const struct refusal refusal = refusal_of(status, GG_FIELD_DEPENDENT_AMOUNT, count);

		life_fail(task, &refusal, 0);
	}
}

void feed_close(struct task *task)
{
	queue_close(task);
	life_wake(task);
}

void feed_run(void)
{
	for (struct task *task = queue_take_late(); task != NULL; task = queue_take_late()) {
		life_wake(task);
		due_set(DUE_SCHEDULE);
	}
	if (queue_deadline() == UINT64_MAX) {
		due_clear(DUE_FEED);
	}
}
