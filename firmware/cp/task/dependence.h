/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Dependences between tasks (the dependent lists and counters of NVIDIA's QMD).
 *
 * An *edge* says what happens to somebody when a task is over. `dependents` of a TMD makes edges from
 * the new task to older ones (DECREMENT, INCREMENT_PUT) or to a TMD that is not submitted yet
 * (SCHEDULE); `after` makes edges from older tasks to the new one. A task with `after` has no
 * DECREMENT dependents. So no cycle can be built: a task whose counter others lower was entered by
 * newer tasks only, and these wait for newer ones only, or for nobody.
 *
 * An edge names the use of a task's place, not only the place: it does nothing when the task at its
 * end is gone.
 */
#ifndef FIRMWARE_CP_TASK_DEPENDENCE_H
#define FIRMWARE_CP_TASK_DEPENDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

#define DEPENDENCE_LIST CP_DEPENDENCES /**< Entries of a TMD's lists, at most. */

/** What is to happen when a task is over. */
struct edge {
	struct edge *next;   /**< Of the same task, or of those that are free. */
	struct task *target; /**< Task at its end; NULL for SCHEDULE. */
	uint64_t address;    /**< SCHEDULE: of the TMD. */
	uint32_t serial;     /**< Of the target; SCHEDULE: generation of the TMD. */
	uint16_t amount;     /**< INCREMENT_PUT: items. */
	uint8_t action;      /**< enum gg_dependence_action. */
};

/** Take over the memory of the edges: all are free. */
void dependence_init(struct edge *memory, uint32_t count);

/** Whether any task's lists find room. */
bool dependence_has_room(void);

/** Add an edge to a task; there is room. */
void dependence_add(struct task *source, const struct edge *edge);

/** Remember the name of a task that failed, or was refused. */
void dependence_remember(const struct task *task, uint32_t generation);

/** Whether a task of that name is among those that failed lately.
 * @param[out] tag  Its tag, if so. */
bool dependence_has_failed(struct task_name name, uint32_t *tag);

/** Take the next SCHEDULE edge off a task.
 * @param[out] name  Of the TMD.
 * @return           false when there is none. */
bool dependence_next_schedule(struct task *task, struct task_name *name);

/** A task is over: its edges are in the order in which they take effect from now on, and its name is remembered
 * if it failed. */
void dependence_close(struct task *task);

/** Take the next edge off a closed task whose target is still there; edges that mean nothing any more are gone.
 * @param[out] edge  A copy.
 * @return           false when there is none left. */
bool dependence_next(struct task *task, struct edge *edge);

/** One of the tasks that a task waits for is over.
 * @return  Whether it waits for none any more. */
bool dependence_lower(struct task *target);

#endif /* FIRMWARE_CP_TASK_DEPENDENCE_H */
