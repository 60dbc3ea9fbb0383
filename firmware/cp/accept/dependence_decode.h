/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The dependence lists of a TMD: reads and checks them, and makes edges of them (task/dependence.h).
 */
#ifndef FIRMWARE_CP_ACCEPT_DEPENDENCE_DECODE_H
#define FIRMWARE_CP_ACCEPT_DEPENDENCE_DECODE_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** Read and check a new task's lists, and make their edges. Sets the task's counters, and lowers the open dependences of the
 * tasks that its list of dependents names.
 * @return  false: refused, with task->failure set, nothing lowered, and no edge made. */
bool dependence_decode(struct task *task);

#endif /* FIRMWARE_CP_ACCEPT_DEPENDENCE_DECODE_H */
