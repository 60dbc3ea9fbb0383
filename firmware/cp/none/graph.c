/* SPDX-License-Identifier: Apache-2.0 */
/* A control processor without task graphs (firmware/cp/part.h): no task has one. */
#include <stddef.h>

#include "firmware/cp/graph.h"
#include "firmware/cp/graph_kept.h"

void graph_init(void *memory, uint64_t bytes)
{
	(void)memory;
	(void)bytes;
}

bool graph_open(struct task *task)
{
	(void)task;
	return false;
}

void graph_give(struct task *task)
{
	(void)task;
}

void graph_begin(struct task *task)
{
	(void)task;
}

void graph_stop(struct task *task)
{
	(void)task;
}

bool graph_is_closed(const struct task *task)
{
	(void)task;
	return true;
}

void graph_child_ended(struct task *task, struct task *child)
{
	(void)task;
	(void)child;
}

void graph_child_issued(struct task *child)
{
	(void)child;
}

void graph_turn(void)
{
}

bool graph_is_due(void)
{
	return false;
}

uint64_t graph_deadline(void)
{
	return UINT64_MAX;
}

struct refusal graph_kept_free(uint32_t handle)
{
	(void)handle;
	return refusal_of(GG_ERR_UNSUPPORTED, GG_FIELD_COMMAND_OPCODE, GG_OPCODE_GRAPH);
}
