/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/wait.h"

#include "host/common/deadline.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/doorbell.h"
#include "host/lib/mailbox/mailbox.h"
#include "host/lib/mailbox/pump.h"
#include "host/lib/transport/regs.h"

/** Whether the device will never take a task, because its channel was refused before. */
static bool is_stuck(const struct device *device, struct task *task)
{
	return !device->closed && !mailbox_has_taken(device, task) &&
	       mailbox_is_refused(device, task->channel);
}

/** Tasks that are waited for; afterwards `index` is the first that has ended or is stuck. */
struct any {
	const struct handle_use *uses;
	uint32_t count;
	uint32_t index;
};

static bool one_ended(struct device *device, void *what)
{
	struct any *any = what;

	for (any->index = 0; any->index < any->count; any->index++) {
		struct task *task = any->uses[any->index].object;

		if (task->ended || is_stuck(device, task))
			return true;
	}
	return false;
}

/** Waits for the first of the tasks that has ended or is stuck. The lock is held. */
static enum gg_status wait_any(struct device *device, struct any *any, uint32_t timeout_ms)
{
	uint64_t deadline = deadline_after(timeout_ms);
	bool quiet = false;

	doorbell_ring_if_due(device);
	for (uint32_t i = 0; i < any->count; i++) {
		const struct task *task = any->uses[i].object;

		quiet = quiet || task->quiet;
	}
	if (quiet)
		return pump_until_polled(device, deadline, one_ended, any);
	return pump_until(device, deadline, one_ended, any);
}

/** The outcome of a task that has ended or is stuck. Sets the failure. The lock is held. */
static enum gg_status outcome(struct device *device, const struct task *task, struct gg_done *done)
{
	uint32_t at = channel_at(device, task->channel);

	*done = task->done;
	if (!task->ended) {
		at += (uint32_t)offsetof(struct gg_channel, refused_put);
		done->status = GG_ERR_CHANNEL;
		done->field = GG_FIELD_CHANNEL_PUT;
		done->value = regs_load(device->window, at);
	}
	if (done->status == GG_OK)
		return GG_OK;
	return failure_done(done->status, done->field, done->value, done->fault_sm,
			    done->fault_sequence);
}

enum gg_status task_wait(struct task *task, uint32_t timeout_ms, struct gg_done *done)
{
	struct device *device = task->device;
	const struct handle_use use = { .object = task };
	struct any any = { .uses = &use, .count = 1 };
	struct gg_done result = { 0 };
	enum gg_status status;

	(void)pthread_mutex_lock(&device->lock);
	status = wait_any(device, &any, timeout_ms);
	if (status == GG_OK) {
		status = outcome(device, task, &result);
	} else {
		status = device_failure(device, status, "completion of a task");
		result.status = status;
		result.tag = task->done.tag;
	}
	(void)pthread_mutex_unlock(&device->lock);
	if (done)
		*done = result;
	return status;
}

enum gg_status task_wait_any(const struct handle_use *uses, uint32_t count, uint32_t timeout_ms,
			     uint32_t *index)
{
	struct any any = { .uses = uses, .count = count };
	struct device *device = ((const struct task *)uses[0].object)->device;
	enum gg_status status;

	(void)pthread_mutex_lock(&device->lock);
	status = device_failure(device, wait_any(device, &any, timeout_ms), "completion of a task");
	(void)pthread_mutex_unlock(&device->lock);
	if (status == GG_OK)
		*index = any.index;
	return status;
}

static bool others_completed(struct device *device, void *what)
{
	return device->traffic.completed != *(const uint64_t *)what;
}

enum gg_status task_wait_others(struct device *device, uint32_t timeout_ms, uint64_t *completed)
{
	enum gg_status status;

	(void)pthread_mutex_lock(&device->lock);
	doorbell_ring_if_due(device);
	status = pump_until(device, deadline_after(timeout_ms), others_completed, completed);
	status = device_failure(device, status, "completion of any task");
	if (status == GG_OK)
		*completed = device->traffic.completed;
	(void)pthread_mutex_unlock(&device->lock);
	return status;
}
