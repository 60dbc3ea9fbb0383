/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/settle.h"

#include "host/common/deadline.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/channel.h"
#include "host/lib/mailbox/control.h"
#include "host/lib/mailbox/mailbox.h"

#define NAP_MS 2u

/** Reopens the channels that an earlier host left refused. */
static enum gg_status reopen(struct device *device)
{
	enum gg_status status = GG_OK;

	for (uint32_t i = 0; status == GG_OK && i < device->cap.channels; i++) {
		struct gg_channel words;

		status = channel_read(device, i, &words);
		if (status == GG_OK && words.state == GG_CHANNEL_STATE_REFUSED)
			status = channel_reset(device, i, SETTLE_MS);
	}
	return status;
}

/** Refuses a suspended channel with commands of an earlier host, which could run at any time. */
static enum gg_status check_suspended(struct device *device)
{
	for (uint32_t i = 0; i < device->cap.channels; i++) {
		struct gg_channel words;
		enum gg_status status = channel_read(device, i, &words);

		if (status != GG_OK)
			return status;
		if (words.state == GG_CHANNEL_STATE_SUSPENDED && words.put != words.get)
			return failure_set(GG_ERR_BUSY, "channel.state", words.state,
					   "Channel %u is suspended, with %u commands of an "
					   "earlier host in it: resume it first",
					   i, words.put - words.get);
	}
	return GG_OK;
}

/** Waits until the commands of all channels that are read have completed. */
static enum gg_status fence_all(struct device *device, uint64_t deadline)
{
	enum gg_status status = GG_OK;

	for (uint32_t i = 0; status == GG_OK && i < device->cap.channels; i++) {
		if (mailbox_is_open(device, i))
			status = control_fence(device, i, deadline_left(deadline, SETTLE_MS));
	}
	return status;
}

/** Waits until the device has no task. `tasks` is how many it has. */
static enum gg_status await_none(struct device *device, uint64_t deadline, uint64_t *tasks)
{
	enum gg_status status = control_query(device, GG_QUERY_WHAT_TASKS, SETTLE_MS, tasks);

	if (status == GG_OK && *tasks != 0)
		status = fence_all(device, deadline);
	while (status == GG_OK && *tasks != 0) {
		status = control_query(device, GG_QUERY_WHAT_TASKS, SETTLE_MS, tasks);
		if (status != GG_OK || *tasks == 0)
			return status;
		if (deadline_left(deadline, 1) == 0)
			return GG_ERR_TIMEOUT;
		deadline_nap(NAP_MS);
	}
	return status;
}

enum gg_status settle(struct device *device)
{
	uint64_t tasks = 0;
	enum gg_status status;

	(void)pthread_mutex_lock(&device->lock);
	status = device->settled ? GG_OK : GG_ERR_BUSY;
	(void)pthread_mutex_unlock(&device->lock);
	if (status == GG_OK)
		return GG_OK;
	status = reopen(device);
	if (status == GG_OK)
		status = check_suspended(device);
	if (status == GG_OK)
		status = await_none(device, deadline_after(SETTLE_MS), &tasks);
	if (status == GG_ERR_TIMEOUT)
		return failure_set(GG_ERR_BUSY, "tasks", tasks,
				   "%llu tasks of an earlier host still run on the device",
				   (unsigned long long)tasks);
	if (status != GG_OK)
		return status;
	(void)pthread_mutex_lock(&device->lock);
	device->settled = true;
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}
