/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/abi/field.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/completion.h"
#include "host/lib/mailbox/device.h"
#include "host/lib/transport/reach.h"
#include "host/lib/transport/regs.h"

/** Number of records that were written to a ring so far. */
static uint32_t ring_put(const struct device *device, uint32_t ring)
{
	uint32_t at = device->cap.trace_offset + (uint32_t)offsetof(struct gg_trace, put);

	if (ring > 0)
		at = sm_state_at(device, ring - 1) +
		     (uint32_t)offsetof(struct gg_sm_state, trace_put);
	return regs_load(device->window, at);
}

static void read_event(const struct device *device, uint32_t ring, uint32_t number,
		       struct gg_event *event)
{
	struct gg_trace_record from;
	uint32_t index = number & (device->cap.trace_entries - 1);
	uint32_t at = device->cap.trace_offset + ring * device->cap.trace_stride +
		      (uint32_t)sizeof(struct gg_trace) + index * (uint32_t)sizeof(from);

	regs_copy_out(device->window, at, &from, sizeof(from));
	event->type = gg_get(from.header, GG_TRACE_RECORD_TYPE);
	event->place = gg_get(from.header, GG_TRACE_RECORD_PLACE);
	event->sm = gg_get(from.header, GG_TRACE_RECORD_SM);
	event->tag = from.tag;
	event->cta = from.cta_lo;
	event->extra = from.extra;
	event->start = completion_ns(device, gg_join(from.start_lo, from.start_hi));
	event->end = completion_ns(device, gg_join(from.end_lo, from.end_hi));
}

/** Number of the oldest record that the device cannot be overwriting just now. */
static uint32_t oldest(const struct device *device, uint32_t ring)
{
	return ring_put(device, ring) + 1 - device->cap.trace_entries;
}

/** Skips records that were overwritten, and counts them. */
static void skip(uint32_t *next, uint32_t to, uint64_t *lost)
{
	*lost += to - *next;
	*next = to;
}

enum gg_status gg_trace_read(struct gg_device *handle, uint32_t ring, uint32_t *next,
			     struct gg_event *events, uint32_t capacity, uint32_t *count,
			     uint64_t *lost)
{
	USE_DEVICE(device, handle);
	NEEDS(next, count, lost);
	NEEDS_FOR(capacity > 0, events);

	uint32_t put;

	if (ring > device->cap.sms)
		return failure_set(GG_ERR_ARGUMENT, "ring", ring, "There is no trace ring %u",
				   ring);
	*count = 0;
	put = ring_put(device, ring);
	if ((int32_t)(put - *next) < 0)
		*next = 0; /* The control processor has booted again, and counts anew. */
	if (put - *next > device->cap.trace_entries)
		skip(next, put - device->cap.trace_entries, lost);
	while (*count < capacity && *next != put && !reach_lost(device->window)) {
		read_event(device, ring, *next, &events[*count]);
		regs_fence();
		/* The record may have been overwritten while it was read: then it counts as lost.
		 */
		if ((int32_t)(oldest(device, ring) - *next) > 0) {
			skip(next, oldest(device, ring), lost);
			continue;
		}
		(*next)++;
		(*count)++;
	}
	return device_reached(device);
}
