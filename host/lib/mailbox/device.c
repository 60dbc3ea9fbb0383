/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/device.h"

#include "host/lib/core/failure.h"
#include "host/lib/core/names.h"

enum gg_status device_failure(const struct device *device, enum gg_status status, const char *what)
{
	const char *message = device->transport ? transport_message(device->transport) : "";

	if (status == GG_OK)
		return GG_OK;
	if (status == GG_ERR_TIMEOUT)
		return failure_set(status, what, 0, "The deadline passed: %s", what);
	if (status == GG_ERR_DEVICE_LOST && message[0])
		return failure_set(status, what, 0, "The device is gone: %s", message);
	return failure_set(status, what, 0, "%s (%s)", status_text(status), what);
}

enum gg_status device_reached(const struct device *device)
{
	if (!reach_lost(device->window))
		return GG_OK;
	return device_failure(device, GG_ERR_DEVICE_LOST, "registers");
}

void device_tell_posted(const struct device *device)
{
	if (device->share)
		__atomic_store_n(&device->share->posted,
				 (uint32_t)device->traffic.posted - device->unanswered,
				 __ATOMIC_RELEASE);
}
