/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/doorbell.h"

#include "host/lib/transport/regs.h"
#include "host/lib/transport/transport.h"

#define BELLS_SINCE 5u /* minor version of the ABI that has bell bytes */

bool doorbell_has_bells(const struct device *device)
{
	return gg_get(device->cap.abi, GG_CAP_MINOR) >= BELLS_SINCE &&
	       device->cap.channels <= sizeof(((struct gg_post *)0)->bells);
}

/** Raises the bell bytes of the channels that changed. */
static void raise_bells(struct device *device)
{
	uint32_t at = device->cap.post_offset + (uint32_t)offsetof(struct gg_post, bells);

	for (uint32_t left = device->unrung; left != 0; left &= left - 1) {
		uint32_t i = (uint32_t)__builtin_ctz(left);

		regs_store_byte(device->window, at + device->first_channel + i,
				++device->channels[i].bell);
	}
}

void doorbell_ring(struct device *device)
{
	uint32_t at = device->cap.post_offset + (uint32_t)offsetof(struct gg_post, rung);
	enum gg_status status;

	if (device->unrung != 0 && doorbell_has_bells(device))
		raise_bells(device);
	else if (!device->share) /* else the word is the broker's */
		regs_store(device->window, at, ++device->rung);
	device->unrung = 0;
	regs_fence();
	status = (enum gg_status)transport_ring(device->transport);
	device->traffic.doorbells++;
	if (status != GG_OK && device->broken == GG_OK)
		device->broken = status;
}

void doorbell_ring_if_due(struct device *device)
{
	if (device->unrung != 0)
		doorbell_ring(device);
}

void doorbell_reset_channel(struct device *device, uint32_t channel)
{
	uint32_t at = channel_at(device, channel);

	device->channels[channel].put = 0;
	device->channels[channel].reset++;
	regs_store(device->window, at + (uint32_t)offsetof(struct gg_channel, put), 0);
	regs_fence();
	regs_store(device->window, at + (uint32_t)offsetof(struct gg_channel, reset),
		   device->channels[channel].reset);
	device->unrung |= 1u << channel % 32;
}
