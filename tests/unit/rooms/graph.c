/* SPDX-License-Identifier: Apache-2.0 */
/* The table of kinds without GRAPH tasks. */
#include "firmware/cp/task/kind.h"
#include "firmware/cp/task/queue.h"

const struct task_kind *const task_kinds[TASK_KINDS] = { [GG_TASK_TYPE_QUEUE] = &queue_kind };
