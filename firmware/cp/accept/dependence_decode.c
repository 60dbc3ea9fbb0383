/* SPDX-License-Identifier: Apache-2.0 */
/* Edges are made as the lists are read, and taken back if one of them is refused. */
#include "firmware/cp/accept/dependence_decode.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/tmd.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/dependence.h"
#include "firmware/cp/task/name_table.h"
#include "hal/mmio.h"

/** An edge from another task to the one that is read. */
struct made {
	struct task *source;
	struct edge *before; /* what the source's list was */
};

static struct made made[DEPENDENCE_LIST];
static uint32_t made_count;

static void make(struct edge **list, struct task *target, uint32_t amount)
{
	struct edge *edge = dependence_add(list);

	edge->target = target;
	edge->serial = target->serial;
	edge->amount = (uint16_t)amount;
}

static bool refuse(struct task *task, enum gg_field field, uint64_t value)
{
	return task_refuse(task, GG_ERR_DEPENDENT, field, value);
}

/* A TMD that a kernel chose may name only tasks of its own context. */
static bool may_name(const struct task *task, const struct task *other)
{
	return task->source.trusted || other->tmd.context == task->tmd.context;
}

/* Lowers the target's open dependences at once, so that a list cannot name a task more often than the task waits. */
static bool want_decrement(struct task *task, struct task *target, uint64_t address)
{
	if (target == NULL || target->life.state != TASK_HELD || target->depend.open == 0 ||
	    !may_name(task, target) || task->tmd.after_count != 0) {
		return refuse(task, GG_FIELD_DEPENDENT_TMD, address);
	}
	target->depend.open--;
	make(&task->depend.edges, target, 0);
	return true;
}

static bool want_increment(struct task *task, struct task *target, uint64_t address,
			   uint32_t amount)
{
	if (target == NULL || target->queue == NULL || !may_name(task, target)) {
		return refuse(task, GG_FIELD_DEPENDENT_TMD, address);
	}
	make(&task->depend.edges, target, amount);
	return true;
}

static bool want_schedule(struct task *task, struct task_name name)
{
	if (!tmd_may_be_at(name.address)) {
		return refuse(task, GG_FIELD_DEPENDENT_TMD, name.address);
	}
	struct edge *edge = dependence_add(&task->depend.schedules);

	edge->tmd = (uintptr_t)(name.address - device.memory_base);
	edge->serial = name.generation;
	return true;
}

static struct task_name name_of(const struct gg_dependent *entry)
{
	return task_name_of(entry->tmd_lo, entry->tmd_hi, entry->tmd_generation);
}

static bool want_dependent(struct task *task, const struct gg_dependent *entry)
{
	const uint32_t action = gg_get(entry->action, GG_DEPENDENT_ACTION);
	const struct task_name name = name_of(entry);
	struct task *target = name_table_find(name);

	switch (action) {
	case GG_DEPENDENCE_ACTION_DECREMENT:
		return want_decrement(task, target, name.address);
	case GG_DEPENDENCE_ACTION_SCHEDULE:
		return want_schedule(task, name);
	default:
		return want_increment(task, target, name.address,
				      gg_get(entry->action, GG_DEPENDENT_AMOUNT));
	}
}

/* A child may wait only for its siblings: its parent, and the tasks that wait for the parent, wait for the child.
 * A task that is not in the name table has completed, without error unless dependence_has_failed() knows it. */
static bool want_after(struct task *task, const struct gg_dependent *entry)
{
	const struct task_name name = name_of(entry);
	struct task *source = name_table_find(name);
	uint32_t tag;

	if (source == NULL) {
		return !dependence_has_failed(name, &tag) ||
		       task_refuse(task, GG_ERR_DEPENDENCY, GG_FIELD_TMD_AFTER, tag);
	}
	if (!may_name(task, source) ||
	    (task->source.parent != NULL && source->source.parent != task->source.parent)) {
		return refuse(task, GG_FIELD_DEPENDENT_TMD, name.address);
	}
	task->depend.waits++;
	made[made_count++] = (struct made){ source, source->depend.edges };
	make(&source->depend.edges, task, 0);
	return true;
}

static bool check_entry(struct task *task, const struct gg_dependent *entry, uint32_t most)
{
	const uint32_t action = gg_get(entry->action, GG_DEPENDENT_ACTION);
	const uint32_t amount = gg_get(entry->action, GG_DEPENDENT_AMOUNT);

	if (action > most) {
		return refuse(task, GG_FIELD_DEPENDENT_ACTION, action);
	}
	if (gg_get(entry->action, GG_DEPENDENT_ACTION_RESERVED) != 0) {
		return refuse(task, GG_FIELD_DEPENDENT_ACTION_RESERVED, entry->action);
	}
	if ((amount != 0) != (action == GG_DEPENDENCE_ACTION_INCREMENT_PUT)) {
		return refuse(task, GG_FIELD_DEPENDENT_AMOUNT, amount);
	}
	return true;
}

/** One of the two lists of a TMD. */
struct list {
	uint64_t address;
	uint32_t count;              /* entries */
	enum gg_field address_field; /* for refusals */
	enum gg_field count_field;
	uint32_t most; /* largest action that it may have; those of `after` have but one */
};

/* Each entry is copied before it is checked, because its owner may change it. */
static bool decode_list(struct task *task, const struct list *list)
{
	if (list->count > DEPENDENCE_LIST) {
		return refuse(task, list->count_field, list->count);
	}
	const bool holds = device_holds(list->address, list->count * sizeof(struct gg_dependent));

	if (list->count == 0 ? list->address != 0 : list->address % 4 != 0 || !holds) {
		return refuse(task, list->address_field, list->address);
	}
	const struct gg_dependent *next = holds ? device_pointer(list->address) : NULL;

	for (uint32_t left = list->count; left > 0; left--, next++) {
		const struct gg_dependent entry = { mmio_read32(&next->tmd_lo),
						    mmio_read32(&next->tmd_hi),
						    mmio_read32(&next->tmd_generation),
						    mmio_read32(&next->action) };

		/* A word of 0 says DECREMENT, which both lists may have. */
		if (entry.action != GG_DEPENDENCE_ACTION_DECREMENT &&
		    !check_entry(task, &entry, list->most)) {
			return false;
		}
		if (list->most == GG_DEPENDENCE_ACTION_DECREMENT ? !want_after(task, &entry)
								 : !want_dependent(task, &entry)) {
			return false;
		}
	}
	return true;
}

/* Takes back the edges that were made before a list was refused. */
static void undo(struct task *task)
{
	const struct edge *edge;
	struct task_name name;

	while (made_count > 0) {
		const struct made *last = &made[--made_count];

		dependence_undo(&last->source->depend.edges, last->before);
	}
	while ((edge = dependence_oldest(task->depend.edges)) != NULL) {
		if (edge->amount == 0) {
			edge->target->depend.open++;
		}
		dependence_drop(&task->depend.edges);
	}
	while (dependence_next_schedule(task, &name)) {
	}
}

static bool has_lists(const struct gg_tmd *tmd)
{
	return (tmd->dependence_count | tmd->dependent_count | tmd->dependents_lo |
		tmd->dependents_hi | tmd->after_count | tmd->after_lo | tmd->after_hi) != 0;
}

bool dependence_decode(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const struct list dependents = { gg_join(tmd->dependents_lo, tmd->dependents_hi),
					 tmd->dependent_count, GG_FIELD_TMD_DEPENDENTS,
					 GG_FIELD_TMD_DEPENDENT_COUNT,
					 GG_DEPENDENCE_ACTION_INCREMENT_PUT };
	const struct list after = { gg_join(tmd->after_lo, tmd->after_hi), tmd->after_count,
				    GG_FIELD_TMD_AFTER, GG_FIELD_TMD_AFTER_COUNT,
				    GG_DEPENDENCE_ACTION_DECREMENT };

	made_count = 0;
	if (!has_lists(tmd)) {
		return true;
	}
	if (tmd->dependence_count > INT32_MAX) {
		return refuse(task, GG_FIELD_TMD_DEPENDENCE_COUNT, tmd->dependence_count);
	}
	if (!decode_list(task, &dependents) || !decode_list(task, &after)) {
		undo(task);
		return false;
	}
	task->depend.waits += tmd->dependence_count;
	task->depend.open = tmd->dependence_count;
	return true;
}
