/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/doorbell.h"

#include "host/lib/transport/regs.h"
#include "host/lib/transport/transport.h"

void doorbell_ring(struct device *device)
{
	uint32_t at = device->cap.post_offset + (uint32_t)offsetof(struct gg_post, rung);
	enum gg_status status;

	device->unrung = false;
	regs_store(device->window, at, ++device->rung);
	regs_fence();
	status = (enum gg_status)transport_ring(device->transport);
	device->traffic.doorbells++;
	if (status != GG_OK && device->broken == GG_OK)
		device->broken = status;
}

void doorbell_ring_if_due(struct device *device)
{
	if (device->unrung)
		doorbell_ring(device);
}
