/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/dependence.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/cp/base/device.h"

#define FAILURES 64u /* failed tasks whose names are kept */

/** The name of a task that failed, kept for tasks that name it in `after` when it is already gone. */
struct failed {
	uint64_t address;
	uint32_t generation;
	uint32_t tag;
};

static struct edge *free_edges;
static uint32_t free_count;
static struct failed failures[FAILURES]; /* ring of the latest failures */
static uint32_t failures_count;

void dependence_init(struct edge *memory, uint32_t count)
{
	free_edges = NULL;
	free_count = count;
	failures_count = 0;
	for (uint32_t edge = 0; edge < count; edge++) {
		memory[edge].next = free_edges;
		free_edges = &memory[edge];
	}
}

bool dependence_has_room(void)
{
	return free_count >= 2 * DEPENDENCE_LIST;
}

struct edge *dependence_add(struct edge **list)
{
	struct edge *edge = free_edges, *newest = *list;

	assert(edge != NULL);
	free_edges = edge->next;
	free_count--;
	edge->next = edge;
	if (newest != NULL) {
		edge->next = newest->next;
		newest->next = edge;
	}
	*list = edge;
	return edge;
}

/* Gives back edges that follow one another. */
static void give(struct edge *first, struct edge *last, uint32_t count)
{
	last->next = free_edges;
	free_edges = first;
	free_count += count;
}

void dependence_undo(struct edge **list, struct edge *before)
{
	struct edge *newest = *list;

	if (before != NULL) {
		before->next = newest->next;
	}
	*list = before;
	give(newest, newest, 1);
}

void dependence_drop(struct edge **list)
{
	struct edge *newest = *list, *oldest = newest->next;

	newest->next = oldest->next;
	if (oldest == newest) {
		*list = NULL;
	}
	give(oldest, oldest, 1);
}

void dependence_drop_all(struct edge **list, uint32_t count)
{
	struct edge *newest = *list;

	*list = NULL;
	give(newest->next, newest, count);
}

void dependence_remember(const struct task *task, uint32_t generation)
{
	failures[failures_count++ % FAILURES] = (struct failed){
		.address = task->source.address,
		.generation = generation,
		.tag = task->source.tag,
	};
}

bool dependence_has_failed(struct task_name name, uint32_t *tag)
{
	const uint32_t kept = failures_count < FAILURES ? failures_count : FAILURES;

	for (uint32_t index = 0; index < kept; index++) {
		if (failures[index].address == name.address &&
		    failures[index].generation == name.generation) {
			*tag = failures[index].tag;
			return true;
		}
	}
	return false;
}

bool dependence_next_schedule(struct task *task, struct task_name *name)
{
	const struct edge *edge = dependence_oldest(task->depend.schedules);

	if (edge == NULL) {
		return false;
	}
	*name = (struct task_name){ device.memory_base + edge->tmd, edge->serial };
	dependence_drop(&task->depend.schedules);
	return true;
}

bool dependence_lower(struct task *target)
{
	return target->life.state == TASK_HELD && --target->depend.waits == 0;
}
