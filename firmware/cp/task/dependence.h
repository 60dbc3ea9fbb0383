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

/** What happens to one target when a source task is over. */
struct edge {
	struct edge *next;   /**< Next edge of the same source task, or of the free list. */
	struct task *target; /**< Target task; NULL for SCHEDULE. */
	uint64_t address;    /**< SCHEDULE: device address of the TMD. */
	uint32_t serial;     /**< Serial of the target; SCHEDULE: generation of the TMD. */
	uint16_t amount;     /**< INCREMENT_PUT: items to push. */
	uint8_t action;      /**< enum gg_dependence_action. */
};

/** Set up the pool of edges and forget all failures.
 * @param count  Edges that `memory` holds. */
void dependence_init(struct edge *memory, uint32_t count);

/** Whether enough edges are free for two full lists, whatever the next TMD names. */
bool dependence_has_room(void);

/** Add a copy of an edge to a source task. The caller has checked dependence_has_room(). */
void dependence_add(struct task *source, const struct edge *edge);

/** Remember the name of a task that failed or was refused. The 64 latest names are kept. */
void dependence_remember(const struct task *task, uint32_t generation);

/** Whether a task of this name is among those that failed lately.
 * @param[out] tag  Tag of that task; written only when the answer is true. */
bool dependence_has_failed(struct task_name name, uint32_t *tag);

/** Remove the oldest SCHEDULE edge of a task.
 * @param[out] name  Name of the TMD to submit.
 * @return           false when there is none. */
bool dependence_next_schedule(struct task *task, struct task_name *name);

/** Prepare the edges of a task that is over: put them in the order in which they take effect, oldest first, and
 * remember the task's name if it failed. */
void dependence_close(struct task *task);

/** Remove the next edge that has a target from a task for which dependence_close() was called. SCHEDULE edges, and
 * edges whose target is gone, are discarded.
 * @param[out] edge  A copy of the edge.
 * @return           false when none is left. */
bool dependence_next(struct task *task, struct edge *edge);

/** Note that one of the tasks that a task waits for is over.
 * @return  true when the task waits for no other one now. */
bool dependence_lower(struct task *target);

#endif /* FIRMWARE_CP_TASK_DEPENDENCE_H */
