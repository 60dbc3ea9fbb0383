/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The lists of dependences of a TMD: read and checked, then made into edges (task/dependence.h).
 */
#ifndef FIRMWARE_CP_ACCEPT_DEPENDENCE_DECODE_H
#define FIRMWARE_CP_ACCEPT_DEPENDENCE_DECODE_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** Read and check a new task's lists. Changes nothing but the task's own counters.
 * @return  false, with task->failure set, when they are refused. */
bool dependence_decode(struct task *task);

/** Make the edges that dependence_decode() has read last. Cannot fail. */
void dependence_link(void);

#endif /* FIRMWARE_CP_ACCEPT_DEPENDENCE_DECODE_H */
