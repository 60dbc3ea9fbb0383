/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Dependences between tasks, modelled on the dependent lists and counters of NVIDIA's QMD. Owns the pool of edges
 * and the names of tasks that failed lately.
 *
 * An *edge* belongs to a source task and says what happens to a target task when the source task is over. The list
 * `dependents` of a TMD makes edges from the new task to older tasks (DECREMENT, INCREMENT_PUT) or to a TMD that has
 * not been submitted yet (SCHEDULE); the list `after` makes edges from older tasks to the new one. A task with
 * `after` must not have DECREMENT dependents, so the edges cannot form a cycle: a task that others decrement waits
 * for newer tasks only, and those wait for newer tasks only, or for none.
 *
 * An edge holds the serial of its target beside the pointer, so it has no effect when the target is gone and another
 * task uses its place.
 */
#ifndef FIRMWARE_CP_TASK_DEPENDENCE_H
#define FIRMWARE_CP_TASK_DEPENDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

#define DEPENDENCE_LIST CP_DEPENDENCES /**< Most entries of each of a TMD's lists. */

/** What happens to one target when a source task is over. The edges of a list are a ring: the list points to the newest one. */
struct edge {
	struct edge *
		next; /**< Next newer edge of the list; of the newest, the oldest. Of the free list: the next. */
	union {
		struct task *target; /**< Target task. */
		uintptr_t
			tmd; /**< SCHEDULE: the TMD's distance from the beginning of device memory, bytes. */
	};
	uint32_t serial; /**< Serial of the target; SCHEDULE: generation of the TMD. */
	uint16_t amount; /**< INCREMENT_PUT: items to push, never 0; DECREMENT: 0. */
};

/** Set up the pool of edges and forget all failures.
 * @param count  Edges that `memory` holds. */
void dependence_init(struct edge *memory, uint32_t count);

/** Whether enough edges are free for two full lists, whatever the next TMD names. */
bool dependence_has_room(void);

/** Add an edge to a list of a task. The caller has checked dependence_has_room().
 * @return  The edge, for the caller to fill in. */
struct edge *dependence_add(struct edge **list);

/** Take back the newest edge of a list.
 * @param before  What the list was before that edge was added. */
void dependence_undo(struct edge **list, struct edge *before);

/** The oldest edge of a list, or NULL. Edges take effect in this order. */
static inline struct edge *dependence_oldest(struct edge *list)
{
	return list != NULL ? list->next : NULL;
}

/** Remove the oldest edge of a list that has one. */
void dependence_drop(struct edge **list);

/** Remove all edges of a list that has some.
 * @param count  How many they are. */
void dependence_drop_all(struct edge **list, uint32_t count);

/** Remember the name of a task that failed or was refused. The 64 latest names are kept. */
void dependence_remember(const struct task *task, uint32_t generation);

/** Whether a task of this name is among those that failed lately.
 * @param[out] tag  Tag of that task; written only when the answer is true. */
bool dependence_has_failed(struct task_name name, uint32_t *tag);

/** Remove the oldest SCHEDULE edge of a task.
 * @param[out] name  Name of the TMD to submit.
 * @return           false when there is none. */
bool dependence_next_schedule(struct task *task, struct task_name *name);

/** Note that one of the tasks that a task waits for is over.
 * @return  true when the task waits for no other one now. */
bool dependence_lower(struct task *target);

#endif /* FIRMWARE_CP_TASK_DEPENDENCE_H */
