/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/kind.h"

static const struct task_kind *const *kinds;

_Static_assert(GG_TASK_TYPE_CGA < TASK_KINDS, "a row for each type");

void task_kind_init(const struct task_kind *const *table)
{
	kinds = table;
}

const struct task_kind *task_kind_of(const struct task *task)
{
	return kinds[task_type(task)];
}
