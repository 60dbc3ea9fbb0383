/* SPDX-License-Identifier: Apache-2.0 */
/* The counts of this host. */
#include "host/include/ganger_inspect.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/device.h"

enum gg_status gg_traffic(struct gg_device *handle, struct gg_traffic *traffic)
{
	USE_DEVICE(device, handle);
	NEEDS(traffic);

	(void)pthread_mutex_lock(&device->lock);
	*traffic = device->traffic;
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}
