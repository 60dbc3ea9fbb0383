/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/start/pool.h"

#include "firmware/cp/task/dependence.h"
#include "firmware/cp/task/name_table.h"
#include "firmware/cp/task/task.h"

/* The name table has a chain for every one or two tasks of the pool. */
#define CHAIN_BYTES sizeof(struct task *)

uint32_t pool_bytes_of_a_task(void)
{
	return (uint32_t)(sizeof(struct task) + POOL_EDGES * sizeof(struct edge) + CHAIN_BYTES);
}

static uint32_t power_of_two_below(uint32_t count)
{
	uint32_t power = 1;

	while (power <= count / 2) {
		power *= 2;
	}
	return power;
}

void pool_init(void *memory, uint64_t bytes)
{
	const uint64_t most = bytes / pool_bytes_of_a_task();
	const uint32_t tasks = most < UINT32_MAX / 4 ? (uint32_t)most : UINT32_MAX / 4;
	struct task *places = memory;
	struct edge *edges = (struct edge *)(void *)(places + tasks);

	task_pool_init(places, (uint64_t)tasks * sizeof(struct task));
	dependence_init(edges, tasks * POOL_EDGES);
	name_table_init((struct task **)(void *)(edges + (uintptr_t)tasks * POOL_EDGES),
			power_of_two_below(tasks));
}
