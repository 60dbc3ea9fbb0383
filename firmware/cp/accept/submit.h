/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Acceptance of tasks: makes a task of a TMD, or refuses it without any effect. Serves the host's command SUBMIT, the
 * children that kernels launch (S0-R07), and the passes of graphs.
 */
#ifndef FIRMWARE_CP_ACCEPT_SUBMIT_H
#define FIRMWARE_CP_ACCEPT_SUBMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/limits.h"
#include "firmware/cp/task/task.h"

/** Places of the task pool that are reserved for children. */
#define SUBMIT_RESERVE CP_RESERVE

/** Whether there is room for any task that the host may submit. */
bool submit_has_room(void);

/** Take a place of the pool for a task. If its TMD is known, the place has what submit() finds otherwise: `rules.kept` is not 0.
 * @param parent   The task whose child it will be; NULL: the host's.
 * @param trusted  The host, not a kernel, chose the TMD.
 * @return         The place; `source` says nothing yet. NULL when the pool is full. */
struct task *submit_take(const struct task *parent, struct task_name name, bool trusted);

/** Accept the TMD of a name as a task.
 * @param task  From submit_take(), with `source` filled in.
 * @return      false: refused, with task->failure set; the caller has to give the task back. */
bool submit(struct task *task, struct task_name name);

/** Accept the TMD in `task->tmd` as a command of a graph's pass, and begin it as a child of the GRAPH task.
 * @param task   From the pool, with `tmd` and `pass` filled in.
 * @param rules  What tmd_check_child() found for this TMD with another grid, other arguments and another priority.
 * @param first  First CTA, when only a part of the grid is to be run.
 * @param ctas   CTAs of the part; 0: all of the grid.
 * @return       false: refused, with task->failure set; the caller has to give the task back. */
bool submit_pass(struct task *parent, struct task *task, const struct task_rules *rules,
		 uint64_t first, uint64_t ctas);

/** Accept the TMD of a name as a child of a task, and begin it. The host gets no completion for it.
 * @param trusted  The host, not a kernel, chose the TMD.
 * @return         GG_OK; or the refusal. */
struct refusal submit_child(struct task *parent, struct task_name name, bool trusted);

/** Give back what a task took when it was accepted, and uncount it. The task is over. */
void submit_close(struct task *task);

/** Give back the place of a task that is over, and that nobody names any more. */
void submit_give(struct task *task);

#endif /* FIRMWARE_CP_ACCEPT_SUBMIT_H */
