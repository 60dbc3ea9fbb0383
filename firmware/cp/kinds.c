/* SPDX-License-Identifier: Apache-2.0 */
/* The table of task kinds (task/kind.h), by task type. NULL: the type needs none, or its part is not built in.
 * To add a kind, add a row. */
#include <stddef.h>

#include "firmware/cp/base/part.h"
#include "firmware/cp/graph/graph.h"
#include "firmware/cp/task/kind.h"
#include "firmware/cp/task/queue.h"

_Static_assert(GG_TASK_TYPE_CGA < TASK_KINDS, "a row for each task type");

const struct task_kind *const task_kinds[TASK_KINDS] = {
	[GG_TASK_TYPE_QUEUE] = PART_IS_HERE(GG_FEATURE_QUEUES) ? &queue_kind : NULL,
	[GG_TASK_TYPE_GRAPH] = PART_IS_HERE(GG_FEATURE_GRAPHS) ? &graph_kind : NULL,
};
