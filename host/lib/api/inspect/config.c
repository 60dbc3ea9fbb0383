/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "host/lib/core/failure.h"
#include "host/lib/mailbox/command.h"
#include "host/lib/mailbox/control.h"
#include "host/lib/mailbox/device.h"
#include "host/lib/mailbox/mailbox.h"
#include "host/lib/mailbox/room.h"
#include "host/lib/transport/regs.h"

/** Words of the CONFIG block that belong to a part. */
static const struct {
	uint32_t part;
	size_t offset;
	size_t bytes;
} places[] = {
#define PLACE(part, field)                                                                      \
	{                                                                                       \
		part, offsetof(struct gg_config, field), sizeof(((struct gg_config *)0)->field) \
	}
	PLACE(GG_CONFIG_PART_MODE, mode),
	PLACE(GG_CONFIG_PART_FLOOR, floor_per_mille),
	PLACE(GG_CONFIG_PART_TIME_LIMIT, time_limit_us),
	PLACE(GG_CONFIG_PART_TRACE, trace),
	PLACE(GG_CONFIG_PART_ENABLED, enabled),
	PLACE(GG_CONFIG_PART_RANK, rank),
	PLACE(GG_CONFIG_PART_GROUP, group),
	PLACE(GG_CONFIG_PART_THROTTLE, throttle_sms),
	PLACE(GG_CONFIG_PART_CLUSTER, cga_ids),
	PLACE(GG_CONFIG_PART_CLUSTER, cga_patience),
	PLACE(GG_CONFIG_PART_PULL, far_ticks),
	PLACE(GG_CONFIG_PART_PULL, chunk_us),
	PLACE(GG_CONFIG_PART_PULL, local_low),
	PLACE(GG_CONFIG_PART_PULL, latency),
	PLACE(GG_CONFIG_PART_ANSWER, answer_ms),
	PLACE(GG_CONFIG_PART_WATCH, watch_ms),
	PLACE(GG_CONFIG_PART_RESTARTS, restarts),
	PLACE(GG_CONFIG_PART_PARK, park_ms),
	PLACE(GG_CONFIG_PART_PARK, park_page),
#undef PLACE
};

#define PLACES (sizeof(places) / sizeof(places[0]))

static void write_parts(struct device *device, uint32_t parts, const struct gg_config *config)
{
	for (size_t i = 0; i < PLACES; i++) {
		if (parts & 1u << places[i].part)
			regs_copy_in(device->window,
				     device->cap.config_offset + (uint32_t)places[i].offset,
				     (const uint8_t *)config + places[i].offset, places[i].bytes);
	}
	regs_fence();
}

enum gg_status gg_config_get(struct gg_device *handle, struct gg_config *config)
{
	USE_DEVICE(device, handle);
	NEEDS(config);

	regs_copy_out(device->window, device->cap.config_offset, config, sizeof(*config));
	return device_reached(device);
}

/** Takes the memory for parked CTAs, once; of a device that hosts share, the broker has. No context has it, so no kernel reaches it. */
static enum gg_status take_parked(struct device *device, struct gg_config *config)
{
	const uint64_t bytes = share_parked_bytes(&device->cap);
	enum gg_status status = GG_OK;

	if (device->share) {
		config->park_page = device->share->park_page;
		return config->park_page != 0
			       ? GG_OK
			       : room_failure(device, NULL, bytes, SHARE_PAGE, "parked CTAs");
	}
	(void)pthread_mutex_lock(&device->lock);
	if (!device->parked) {
		status = heap_take(&device->heap, bytes, SHARE_PAGE, &device->parked);
		if (status != GG_OK)
			status = room_failure(device, NULL, bytes, SHARE_PAGE, "parked CTAs");
	}
	(void)pthread_mutex_unlock(&device->lock);
	config->park_page = (uint32_t)(device->parked / SHARE_PAGE);
	return status;
}

enum gg_status gg_config_set(struct gg_device *handle, uint32_t parts,
			     const struct gg_config *config, uint32_t timeout_ms)
{
	USE_DEVICE(device, handle);
	NEEDS(config);

	struct gg_raw raw = {
		.channel = control_channel(device, 0),
		.opcode = GG_OPCODE_CONFIG,
		.argument = { parts },
	};
	struct gg_config before;
	struct gg_config after = *config;
	enum gg_status status;

	if (device->observer)
		return failure_status(GG_ERR_BUSY);
	status = mailbox_may(device, GG_OPCODE_CONFIG);
	if (status == GG_OK)
		status = gg_config_get(handle, &before);
	if (status == GG_OK && (parts & 1u << GG_CONFIG_PART_PARK) && after.park_ms != 0 &&
	    share_parked_bytes(&device->cap) != 0)
		status = take_parked(device, &after);
	if (status != GG_OK)
		return status;
	write_parts(device, parts, &after);
	status = command_call(device, &raw, timeout_ms, NULL);
	/* After a lost answer nobody knows what is in force, so the block stays as it is. */
	if (status != GG_OK && status > GG_ERR_TIMEOUT)
		write_parts(device, parts, &before);
	return status;
}
