/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/name_table.h"

#include <assert.h>
#include <stddef.h>

static struct task **chains; /* heads of the chains; the newest task is first */
static uint32_t mask;        /* number of chains - 1 */

void name_table_init(struct task **memory, uint32_t count)
{
	assert(count != 0 && (count & (count - 1)) == 0);
	chains = memory;
	mask = count - 1;
	for (uint32_t chain = 0; chain < count; chain++) {
		chains[chain] = NULL;
	}
}

static struct task_name name_of(const struct task *task)
{
	return (struct task_name){ task->source.address, task->tmd.generation };
}

/* TMDs are aligned to 256 bytes, so the low bits of the address say nothing. Hosts use the same few addresses again
 * with new generations, so the generation is part of the hash. */
static struct task **chain_of(struct task_name name)
{
	const uint32_t block = (uint32_t)(name.address >> 8);

	return &chains[(block ^ block >> 12 ^ name.generation) & mask];
}

void name_table_add(struct task *task)
{
	struct task **chain = chain_of(name_of(task));

	task->name.next = *chain;
	task->name.link = chain;
	if (*chain != NULL) {
		(*chain)->name.link = &task->name.next;
	}
	*chain = task;
}

void name_table_remove(struct task *task)
{
	*task->name.link = task->name.next;
	if (task->name.next != NULL) {
		task->name.next->name.link = task->name.link;
	}
}

struct task *name_table_find(struct task_name name)
{
	struct task *task = *chain_of(name);

	while (task != NULL &&
	       (task->source.address != name.address || task->tmd.generation != name.generation)) {
		task = task->name.next;
	}
	return task;
}
