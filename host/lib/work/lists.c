/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/lists.h"

#include "firmware/abi/field.h"
#include "host/lib/core/failure.h"
#include "host/lib/core/names.h"
#include "host/lib/mailbox/doorbell.h"
#include "host/lib/mailbox/mailbox.h"
#include "host/lib/mailbox/pump.h"

static enum gg_status check_task(const struct gg_device *device, const struct gg_task *task,
				 const char *list, uint32_t index)
{
	if (task->device == device && task->address != 0)
		return GG_OK;
	return failure_set(GG_ERR_ARGUMENT, list, index,
			   "Entry %u of the list `%s` is not a task of this device", index, list);
}

static enum gg_status check_count(const char *list, uint32_t count)
{
	if (count <= GG_DEPENDENCES_MAX)
		return GG_OK;
	return failure_set(GG_ERR_ARGUMENT, list, count, "The list `%s` has %u entries, at most %u",
			   list, count, GG_DEPENDENCES_MAX);
}

enum gg_status lists_check(const struct gg_device *device, const struct gg_work *work)
{
	enum gg_status status = check_count("after", work->after_count);

	if (status == GG_OK)
		status = check_count("dependents", work->dependent_count);
	for (uint32_t i = 0; status == GG_OK && i < work->after_count; i++)
		status = check_task(device, work->after[i], "after", i);
	for (uint32_t i = 0; status == GG_OK && i < work->dependent_count; i++) {
		if (work->dependents[i].task)
			status = check_task(device, work->dependents[i].task, "dependents", i);
	}
	return status;
}

static bool is_taken(struct gg_device *device, void *what)
{
	return mailbox_has_taken(device, what);
}

/** Waits for one task. The device takes one of the same channel before the work anyway. */
static enum gg_status await_task(struct gg_device *device, const struct gg_work *work,
				 struct gg_task *task, uint64_t deadline)
{
	enum gg_status status;

	if (task->channel == work->channel || mailbox_has_taken(device, task))
		return GG_OK;
	doorbell_ring_if_due(device);
	status = pump_until_polled(device, deadline, is_taken, task);
	if (status == GG_ERR_TIMEOUT)
		return failure_set(GG_ERR_TIMEOUT, "task", task->done.tag,
				   "Task %u stayed in channel %u until the deadline",
				   task->done.tag, task->channel);
	return device_failure(device, status, "a task in another channel");
}

enum gg_status lists_await(struct gg_device *device, const struct gg_work *work, uint64_t deadline)
{
	enum gg_status status = GG_OK;

	for (uint32_t i = 0; status == GG_OK && i < work->after_count; i++)
		status = await_task(device, work, work->after[i], deadline);
	for (uint32_t i = 0; status == GG_OK && i < work->dependent_count; i++) {
		if (work->dependents[i].task)
			status = await_task(device, work, work->dependents[i].task, deadline);
	}
	return status;
}

static struct gg_dependent entry(uint64_t address, uint32_t generation, uint32_t action,
				 uint32_t amount)
{
	struct gg_dependent made = {
		.tmd_lo = gg_low(address),
		.tmd_hi = gg_high(address),
		.tmd_generation = generation,
		.action = gg_put(GG_DEPENDENT_ACTION, action) | gg_put(GG_DEPENDENT_AMOUNT, amount),
	};

	return made;
}

enum gg_status lists_after(const struct gg_work *work, struct gg_dependent *list, uint32_t *count)
{
	*count = 0;
	for (uint32_t i = 0; i < work->after_count; i++) {
		const struct gg_task *task = work->after[i];

		if (task->ended && task->done.status != GG_OK)
			return failure_set(GG_ERR_DEPENDENCY, "after", task->done.tag,
					   "Task %u, which this one comes after, failed: %s",
					   task->done.tag, status_name(task->done.status));
		if (!task->ended)
			list[(*count)++] = entry(task->address, task->generation,
						 GG_DEPENDENCE_ACTION_DECREMENT, 0);
	}
	return GG_OK;
}

enum gg_status lists_dependents(const struct gg_work *work, struct gg_dependent *list)
{
	for (uint32_t i = 0; i < work->dependent_count; i++) {
		const struct gg_dependence *one = &work->dependents[i];

		if (one->action > 15 || one->amount > UINT16_MAX)
			return failure_set(
				GG_ERR_ARGUMENT, "dependents", i,
				"Entry %u of the list `dependents`: action %u, amount %u", i,
				one->action, one->amount);
		if (one->task)
			list[i] = entry(one->task->address, one->task->generation, one->action,
					one->amount);
		else
			list[i] = entry(one->address, one->generation, one->action, one->amount);
	}
	return GG_OK;
}
