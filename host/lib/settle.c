/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/context.h"
#include "host/lib/failure.h"
#include "host/lib/mailbox.h"
#include "host/lib/regs.h"

/** Reopens the channels that an earlier host left refused. */
static enum gg_status reopen(struct gg_device *device)
{
	enum gg_status status = GG_OK;

	for (uint32_t i = 0; status == GG_OK && i < device->cap.channels; i++) {
		struct gg_channel words;

		status = gg_channel_read(device, i, &words);
		if (status == GG_OK && words.state == GG_CHANNEL_STATE_REFUSED)
			status = gg_channel_reset(device, i, SETTLE_MS);
	}
	return status;
}

enum gg_status settle(struct gg_device *device)
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
		status = gg_query(device, GG_QUERY_WHAT_TASKS, SETTLE_MS, &tasks);
	for (uint32_t i = 0; status == GG_OK && tasks != 0 && i < device->cap.channels; i++)
		status = gg_fence(device, i, SETTLE_MS);
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
