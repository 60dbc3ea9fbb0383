/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_nest.h"

#include <stdarg.h>
#include <stddef.h>

#include "firmware/cp/accept/tmd.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

struct gg_tmd fake_nested(struct fake_nest nest)
{
	struct gg_tmd tmd = fake_with_type(fake_tmd(1), GG_TASK_TYPE_CGA);
	uint32_t *outer[] = { NULL, &tmd.outer, &tmd.top };

	tmd.cluster_xy = nest.parts[0] | 1u << 16;
	tmd.cluster_z = 1 | (uint32_t)nest.domain[0] << 16;
	tmd.grid_x = nest.parts[0];
	for (uint32_t level = 1; level < CP_CGA_LEVELS && nest.parts[level] != 0; level++) {
		*outer[level] = nest.parts[level] | 1u << 10 | 1u << 20 |
				(uint32_t)nest.domain[level] << 30;
		tmd.grid_x *= nest.parts[level];
	}
	return tmd;
}

struct task *fake_take(const struct gg_tmd *tmd)
{
	struct task *task = task_take();

	task->source.trusted = true;
	(void)tmd_take(task, (struct task_name){ fake_put_tmd(tmd), 0 });
	return task;
}
