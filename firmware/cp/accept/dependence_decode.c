/* SPDX-License-Identifier: Apache-2.0 */
/* Both lists of a TMD are checked completely before an edge is made. */
#include "firmware/cp/accept/dependence_decode.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/tmd.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/dependence.h"
#include "firmware/cp/task/name_table.h"

static struct edge wanted[2 * DEPENDENCE_LIST];   /* edges of the task that was decoded last */
static struct task *sources[2 * DEPENDENCE_LIST]; /* the task where each of them starts */
static uint32_t wanted_count;

static void want(struct task *source, struct edge edge)
{
	wanted[wanted_count] = edge;
	sources[wanted_count] = source;
	wanted_count++;
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
	want(task, (struct edge){ .target = target,
				  .serial = target->serial,
				  .action = GG_DEPENDENCE_ACTION_DECREMENT });
	return true;
}

static bool want_increment(struct task *task, struct task *target, uint64_t address,
			   uint32_t amount)
{
	if (target == NULL || target->queue == NULL || !may_name(task, target)) {
		return refuse(task, GG_FIELD_DEPENDENT_TMD, address);
	}
	want(task, (struct edge){ .target = target,
				  .serial = target->serial,
				  .amount = (uint16_t)amount,
				  .action = GG_DEPENDENCE_ACTION_INCREMENT_PUT });
	return true;
}

static bool want_schedule(struct task *task, struct task_name name)
{
	if (!tmd_may_be_at(name.address)) {
		return refuse(task, GG_FIELD_DEPENDENT_TMD, name.address);
	}
	want(task, (struct edge){ .address = name.address,
				  .serial = name.generation,
				  .action = GG_DEPENDENCE_ACTION_SCHEDULE });
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
	want(source, (struct edge){ .target = task,
				    .serial = task->serial,
				    .action = GG_DEPENDENCE_ACTION_DECREMENT });
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
	uint32_t most; /* largest action that it may have */
	bool (*want)(struct task *task, const struct gg_dependent *entry);
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
	for (uint32_t index = 0; index < list->count; index++) {
		const struct gg_dependent entry = *(const struct gg_dependent *)device_pointer(
			list->address + index * sizeof(entry));

		if (!check_entry(task, &entry, list->most) || !list->want(task, &entry)) {
			return false;
		}
	}
	return true;
}

/* Undoes what want_decrement() did for a list that is refused. */
static void unwant(void)
{
	while (wanted_count > 0) {
		const struct edge *edge = &wanted[--wanted_count];

		if (edge->action == GG_DEPENDENCE_ACTION_DECREMENT &&
		    edge->target->life.state == TASK_HELD &&
		    edge->target->depend.open < edge->target->depend.waits) {
			edge->target->depend.open++;
		}
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
					 tmd->dependent_count,
					 GG_FIELD_TMD_DEPENDENTS,
					 GG_FIELD_TMD_DEPENDENT_COUNT,
					 GG_DEPENDENCE_ACTION_INCREMENT_PUT,
					 want_dependent };
	const struct list after = { gg_join(tmd->after_lo, tmd->after_hi),
				    tmd->after_count,
				    GG_FIELD_TMD_AFTER,
				    GG_FIELD_TMD_AFTER_COUNT,
				    GG_DEPENDENCE_ACTION_DECREMENT,
				    want_after };

	wanted_count = 0;
	if (!has_lists(tmd)) {
		return true;
	}
	if (tmd->dependence_count > INT32_MAX) {
		return refuse(task, GG_FIELD_TMD_DEPENDENCE_COUNT, tmd->dependence_count);
	}
	if (!decode_list(task, &dependents) || !decode_list(task, &after)) {
		unwant();
		return false;
	}
	task->depend.waits += tmd->dependence_count;
	task->depend.open = tmd->dependence_count;
	return true;
}

void dependence_link(void)
{
	for (uint32_t index = 0; index < wanted_count; index++) {
		dependence_add(sources[index], &wanted[index]);
	}
}
