/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/kinds.h"

#include <stddef.h>

#include "firmware/cp/base/part.h"
#include "firmware/cp/graph/graph.h"
#include "firmware/cp/task/queue.h"

const struct task_kind *const kinds[TASK_KINDS] = {
	[GG_TASK_TYPE_QUEUE] = PART_IS_HERE(GG_FEATURE_QUEUES) ? &queue_kind : NULL,
	[GG_TASK_TYPE_GRAPH] = PART_IS_HERE(GG_FEATURE_GRAPHS) ? &graph_kind : NULL,
};
