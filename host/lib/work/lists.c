/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/lists.h"

#include "firmware/abi/field.h"
#include "host/lib/core/failure.h"
#include "host/lib/core/names.h"
#include "host/lib/mailbox/doorbell.h"
#include "host/lib/mailbox/mailbox.h"
#include "host/lib/mailbox/pump.h"

static bool is_taken(struct device *device, void *what)
{
	return mailbox_has_taken(device, what);
}

/** Waits for one task. The device takes one of the same channel before the work anyway. */
static enum gg_status await_task(const struct request *request, struct task *task,
				 uint64_t deadline)
{
	struct device *device = request->device;
	enum gg_status status;

	if (task->channel == request->work->channel || mailbox_has_taken(device, task))
		return GG_OK;
	doorbell_ring_if_due(device);
	status = pump_until_polled(device, deadline, is_taken, task);
	if (status == GG_ERR_TIMEOUT)
		return failure_set(GG_ERR_TIMEOUT, "task", task->done.tag,
				   "Task %u stayed in channel %u until the deadline",
				   task->done.tag, task->channel);
	return device_failure(device, status, "a task in another channel");
}

enum gg_status lists_await(const struct request *request, uint64_t deadline)
{
	enum gg_status status = GG_OK;

	for (uint32_t i = 0; status == GG_OK && i < request->work->after_count; i++)
		status = await_task(request, request->after[i], deadline);
	for (uint32_t i = 0; status == GG_OK && i < request->work->dependent_count; i++) {
		if (request->dependents[i])
			status = await_task(request, request->dependents[i], deadline);
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

enum gg_status lists_after(const struct request *request, struct gg_dependent *list,
			   uint32_t *count)
{
	*count = 0;
	for (uint32_t i = 0; i < request->work->after_count; i++) {
		const struct task *task = request->after[i];

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

enum gg_status lists_dependents(const struct request *request, struct gg_dependent *list)
{
	for (uint32_t i = 0; i < request->work->dependent_count; i++) {
		const struct gg_dependence *one = &request->work->dependents[i];
		const struct task *task = request->dependents[i];

		if (one->action > 15 || one->amount > UINT16_MAX)
			return failure_set(
				GG_ERR_ARGUMENT, "dependents", i,
				"Entry %u of the list `dependents`: action %u, amount %u", i,
				one->action, one->amount);
		if (task)
			list[i] = entry(task->address, task->generation, one->action, one->amount);
		else
			list[i] = entry(one->address, one->generation, one->action, one->amount);
	}
	return GG_OK;
}
