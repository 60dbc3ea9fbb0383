/* SPDX-License-Identifier: Apache-2.0 */
/* Plays the room finish: a task that is over is given back and reported; nothing follows from its end. A test about
 * dependents, semaphores or children needs the room itself. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/submit.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/finish/retire.h"
#include "firmware/cp/life/life.h"
#include "firmware/cp/task/name_table.h"
#include "firmware/cp/task/stall.h"

static struct task_list finished;

void completion_init(void)
{
	finished = (struct task_list){ 0 };
}

static struct gg_completion *add(struct command_source source, struct refusal answer)
{
	struct gg_completion *entry =
		&device.completions[device.post->put++ % CP_COMPLETION_ENTRIES];

	assert(device.post->put - device.post->get <= CP_COMPLETION_ENTRIES);
	*entry = (struct gg_completion){
		.tag = source.tag,
		.status = (uint32_t)answer.status,
		.field = answer.field,
		.value_lo = gg_low(answer.value),
		.value_hi = gg_high(answer.value),
	};
	return entry;
}

void completion_answer(const struct command_source *source, const struct refusal *answer)
{
	add(*source, *answer);
}

static uint32_t sms_of(const struct task *task)
{
	uint32_t sms = 0;

	for (uint32_t word = 0; word < device.sm_words; word++) {
		sms += bits_count(task->sms[word]);
	}
	return sms;
}

struct task *completion_take(void)
{
	struct task *task = finished.head;

	if (task != NULL) {
		struct gg_completion *entry =
			add((struct command_source){ .tag = task->source.tag }, task->failure);

		task_list_remove(&finished, task);
		gg_split(&entry->ctas_lo, &entry->ctas_hi, task->work.done);
		entry->source = gg_put(GG_COMPLETION_SMS, sms_of(task));
		entry->fault = task->fault;
		entry->packets = task->work.packets;
		memcpy(entry->not_issued, task->stall.turns, sizeof(entry->not_issued));
		device.perf->tasks_completed++;
	}
	return task;
}

void retire_run(void)
{
	while (life_has_over()) {
		struct task *task = life_take_over();
		const bool done = life_finish(task);

		assert(done && task->source.parent == NULL && task->depend.edges == NULL);
		stall_close(task);
		name_table_remove(task);
		submit_close(task);
		task_list_append(&finished, task);
	}
}
