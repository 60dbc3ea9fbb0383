/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/dependence.h"

#include <assert.h>
#include <stddef.h>

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

void dependence_add(struct task *source, const struct edge *edge)
{
	struct edge *made = free_edges;

	assert(made != NULL);
	free_edges = made->next;
	free_count--;
	*made = *edge;
	made->next = source->depend.edges;
	source->depend.edges = made;
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

static void edge_give(struct edge *edge)
{
	edge->next = free_edges;
	free_edges = edge;
	free_count++;
}

/* The list has the newest edge first, and edges take effect oldest first. */
bool dependence_next_schedule(struct task *task, struct task_name *name)
{
	struct edge **oldest = NULL;

	for (struct edge **link = &task->depend.edges; *link != NULL; link = &(*link)->next) {
		if ((*link)->action == GG_DEPENDENCE_ACTION_SCHEDULE) {
			oldest = link;
		}
	}
	if (oldest == NULL) {
		return false;
	}
	struct edge *edge = *oldest;

	*oldest = edge->next;
	*name = (struct task_name){ edge->address, edge->serial };
	edge_give(edge);
	return true;
}

static struct edge *oldest_first(struct edge *edges)
{
	struct edge *turned = NULL;

	while (edges != NULL) {
		struct edge *next = edges->next;

		edges->next = turned;
		turned = edges;
		edges = next;
	}
	return turned;
}

void dependence_close(struct task *task)
{
	if (task_has_failed(task)) {
		dependence_remember(task, task->tmd.generation);
	}
	task->depend.edges = oldest_first(task->depend.edges);
}

bool dependence_next(struct task *task, struct edge *edge)
{
	while (task->depend.edges != NULL) {
		struct edge *first = task->depend.edges;

		*edge = *first;
		task->depend.edges = first->next;
		edge_give(first);
		if (edge->action != GG_DEPENDENCE_ACTION_SCHEDULE &&
		    edge->target->serial == edge->serial) {
			return true;
		}
	}
	return false;
}

bool dependence_lower(struct task *target)
{
	return target->life.state == TASK_HELD && --target->depend.waits == 0;
}
