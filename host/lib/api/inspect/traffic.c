/* SPDX-License-Identifier: Apache-2.0 */
/* The counts of this host. */
#include "host/include/ganger_inspect.h"
#include "host/common/deadline.h"
#include "host/lib/mailbox/device.h"
#include "host/lib/mailbox/pump.h"

enum gg_status gg_traffic(struct gg_device *handle, struct gg_traffic *traffic)
{
	USE_DEVICE(device, handle);

	(void)pthread_mutex_lock(&device->lock);
	*traffic = device->traffic;
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}

static bool others_completed(struct device *device, void *what)
{
	return device->traffic.completed != *(const uint64_t *)what;
}

enum gg_status gg_completions_wait(struct gg_device *handle, uint32_t timeout_ms,
				   uint64_t *completed)
{
	USE_DEVICE(device, handle);

	enum gg_status status;

	(void)pthread_mutex_lock(&device->lock);
	status = pump_until(device, deadline_after(timeout_ms), others_completed, completed);
	status = device_failure(device, status, "completion of any task");
	if (status == GG_OK)
		*completed = device->traffic.completed;
	(void)pthread_mutex_unlock(&device->lock);
	return status;
}
