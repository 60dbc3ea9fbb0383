/* SPDX-License-Identifier: Apache-2.0 */
/* Pushes items to QUEUE tasks. */
#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "host/common/deadline.h"
#include "host/lib/core/failure.h"
#include "host/lib/core/pool.h"
#include "host/lib/mailbox/control.h"
#include "host/lib/mailbox/device.h"
#include "host/lib/mailbox/doorbell.h"
#include "host/lib/mailbox/mailbox.h"
#include "host/lib/mailbox/memory.h"
#include "host/lib/mailbox/room.h"
#include "host/lib/mailbox/task.h"
#include "host/lib/mailbox/wait.h"

#define PUSH_BYTES 4096u /* Most bytes of one PUSH. */
#define NAP_MS     1u    /* Milliseconds between attempts while a queue is full. */
/* Least wait for the answer to a PUSH, in ms: without it nobody knows what the device took. A host that is busy may see it late. */
#define ANSWER_MS  30000u

/** What is to be pushed. Each PUSH is a command of its own, which owns the copy of its items. */
struct push {
	struct task *queue;  /**< The QUEUE task. */
	const uint8_t *data; /**< Items that are left; NULL: they are in the ring already. */
	uint64_t deadline;
};

/** Copies items to device memory; the command owns them. The lock is held. */
static enum gg_status stage(struct device *device, struct task *command, const uint8_t *data,
			    uint64_t bytes)
{
	enum gg_status status = pool_take(&device->jobs, &device->heap, bytes, &command->job);

	if (status != GG_OK)
		return room_failure(device, NULL, bytes, POOL_ALIGN, "the items of a queue");
	return memory_write(device, command->job, data, bytes);
}

/** Posts one PUSH. The lock is held. */
static enum gg_status post(const struct push *push, uint32_t count, struct task *command)
{
	struct task *queue = push->queue;
	struct device *device = queue->device;
	struct gg_command words = {
		.header = gg_put(GG_COMMAND_OPCODE, GG_OPCODE_PUSH),
		.address_lo = gg_low(queue->address),
		.address_hi = gg_high(queue->address),
		.argument0 = queue->generation,
		.argument2 = count,
	};
	enum gg_status status = GG_OK;

	command->channel = control_channel(device, control_channel_of(device, queue));
	if (push->data)
		status = stage(device, command, push->data, (uint64_t)count * queue->item_bytes);
	if (status != GG_OK)
		return status;
	gg_split(&words.argument1, &words.argument3, command->job);
	status = mailbox_post(device, command, &words, push->deadline);
	if (status == GG_OK)
		doorbell_ring(device);
	else
		task_give_back(device, command);
	return status;
}

/** Posts one PUSH and waits for its answer. */
static enum gg_status push_once(const struct push *push, uint32_t count)
{
	struct device *device = push->queue->device;
	struct task *command;
	enum gg_status status;
	uint32_t ms;

	(void)pthread_mutex_lock(&device->lock);
	command = device->closed ? NULL : task_create(device);
	if (device->closed)
		status = device_failure(device, GG_ERR_DEVICE_LOST, "push to a queue");
	else if (command)
		status = post(push, count, command);
	else
		status = failure_status(GG_ERR_NO_MEMORY);
	if (command && status != GG_OK)
		task_drop(command);
	(void)pthread_mutex_unlock(&device->lock);
	if (status != GG_OK)
		return status;
	ms = deadline_left(push->deadline, UINT32_MAX);
	status = task_wait(command, ms > ANSWER_MS ? ms : ANSWER_MS, NULL);
	/* If no answer came in time, the copy of the items stays until one comes. */
	task_release(command);
	return status;
}

/** Most items that one PUSH may have. */
static uint32_t most_items(const struct task *task, const void *data)
{
	uint32_t most = data && task->item_bytes > 0 ? PUSH_BYTES / task->item_bytes : UINT32_MAX;

	most = most < task->queue_capacity ? most : task->queue_capacity;
	return most > 0 ? most : 1;
}

enum gg_status gg_queue_push(struct gg_task *handle, const void *data, uint32_t count,
			     uint32_t timeout_ms, uint32_t *pushed)
{
	USE_TASK(task, handle);
	NEEDS(pushed);

	struct push push = { task, data, deadline_after(timeout_ms) };
	const uint32_t most = most_items(task, data);
	uint32_t batch = most;

	*pushed = 0;
	if (task->queue_capacity == 0)
		return failure_set(GG_ERR_ARGUMENT, "task", task->done.tag,
				   "Task %u has no queue that this library made", task->done.tag);
	while (*pushed < count) {
		uint32_t left = count - *pushed;
		uint32_t items = batch < left ? batch : left;
		enum gg_status status = push_once(&push, items);

		if (status == GG_OK) {
			*pushed += items;
			push.data = push.data ? push.data + (size_t)items * task->item_bytes : NULL;
			batch = batch < most / 2 ? 2 * batch : most;
		} else if (status == GG_ERR_QUEUE_FULL && items > 1) {
			batch = items / 2; /* The device takes all of them or none. */
		} else if (status == GG_ERR_QUEUE_FULL && deadline_left(push.deadline, 1) > 0) {
			deadline_nap(NAP_MS);
		} else {
			return status;
		}
	}
	return GG_OK;
}

enum gg_status gg_queue_close(struct gg_task *handle, uint32_t timeout_ms)
{
	USE_TASK(task, handle);

	return control_task(task, GG_OPCODE_CLOSE, timeout_ms);
}
