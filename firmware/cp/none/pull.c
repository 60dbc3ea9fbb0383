/* SPDX-License-Identifier: Apache-2.0 */
/* A control processor without PULL grids (firmware/cp/part.h): a TMD that wants to be one is refused. */
#include <stddef.h>

#include "firmware/cp/config_pull.h"
#include "firmware/cp/nd_check.h"
#include "firmware/cp/pull.h"
#include "firmware/cp/pull_lost.h"
#include "firmware/cp/pull_place.h"
#include "firmware/cp/pull_range.h"
#include "firmware/cp/pull_yield.h"

const struct policy policy_pull = { .issue = NULL }; /* no task has the mode */

/* Only PULL grids have one. */
bool nd_check_range(struct task *task)
{
	(void)task;
	return true;
}

bool nd_check_chunk(struct task *task)
{
	const uint32_t chunk = task->tmd.chunk;

	return chunk == 0 || task_refuse(task, GG_ERR_UNSUPPORTED, GG_FIELD_TMD_CHUNK, chunk);
}

/* The values would have no effect. */
struct refusal config_pull_read(struct pull_settings *wanted)
{
	(void)wanted;
	return refusal_of(GG_ERR_UNSUPPORTED, GG_FIELD_COMMAND_ARGUMENT0, 0);
}

void pull_place_set(const struct pull_settings *wanted)
{
	(void)wanted;
}

void pull_init(void)
{
}

uint32_t pull_slots(void)
{
	return 0;
}

void pull_refresh(void)
{
}

void pull_report(struct task *task, uint32_t sm, const struct gg_report *report)
{
	(void)task;
	(void)sm;
	(void)report;
}

void pull_stop(struct task *task)
{
	(void)task;
}

void pull_close(struct task *task)
{
	(void)task;
}

bool pull_lost(struct task *task, uint32_t sm)
{
	(void)task;
	(void)sm;
	return false;
}

void pull_range_drop(struct task *task)
{
	(void)task;
}

void pull_yield_room(const struct task *task)
{
	(void)task;
}

void pull_yield_due(const struct task *task)
{
	(void)task;
}

void pull_yield_task(struct task *task)
{
	(void)task;
}

void pull_yield_all(void)
{
}

void pull_yield_disabled(void)
{
}
