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
					   "earlier host in it: `ganger resume --channel %u` lets "
					   "them run",
					   i, words.put - words.get, i);
	}
	return GG_OK;
}

/** Waits until the commands of all channels that are read have completed. `channel` is the one that
 * had to be waited for last. */
static enum gg_status fence_all(struct device *device, uint64_t deadline, uint32_t *channel)
{
	enum gg_status status = GG_OK;

	for (uint32_t i = 0; status == GG_OK && i < device->cap.channels; i++) {
		if (!mailbox_is_open(device, i))
			continue;
		*channel = i;
		status = control_fence(device, i, deadline_left(deadline, SETTLE_MS));
	}
	return status;
}

/** Waits until the device has no task. `tasks` is how many it has, `channel` where one was posted. */
static enum gg_status await_none(struct device *device, uint64_t deadline, uint64_t *tasks,
				 uint32_t *channel)
{
	enum gg_status status = control_query(device, GG_QUERY_WHAT_TASKS, SETTLE_MS, tasks);

	if (status == GG_OK && *tasks != 0)
		status = fence_all(device, deadline, channel);
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
	uint32_t channel = 0;
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
		status = await_none(device, deadline_after(SETTLE_MS), &tasks, &channel);
	if (status == GG_ERR_TIMEOUT)
		return failure_set(GG_ERR_BUSY, "tasks", tasks,
				   "After %u s, tasks of an earlier host (%llu) still run on the "
				   "device: `ganger cancel --channel %u` ends those of channel %u",
				   SETTLE_MS / 1000u, (unsigned long long)tasks, channel, channel);
	if (status != GG_OK)
		return status;
	(void)pthread_mutex_lock(&device->lock);
	device->settled = true;
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}
