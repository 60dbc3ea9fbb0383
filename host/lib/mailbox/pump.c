/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/pump.h"

#include "host/common/deadline.h"
#include "host/lib/mailbox/completion.h"
#include "host/lib/mailbox/doorbell.h"
#include "host/lib/mailbox/flight.h"
#include "host/lib/mailbox/restart.h"
#include "host/lib/mailbox/task.h"
#include "host/lib/transport/reach.h"
#include "host/lib/transport/regs.h"
#include "host/lib/transport/transport.h"

#define SLICE_MS  100u /* A lost interrupt or a lost device is noticed after so long. */
#define POLLED_MS 1u
#define LOOK_MS   1000u /* The longest limit that passes also while the device stands still. */

#define POST(field) (ring_post_at(device) + (uint32_t)offsetof(struct gg_post, field))

/** Takes one completion. @return false: it could not be read. */
static bool take_one(struct device *device)
{
	struct gg_done done;
	struct task *task;

	completion_read(device, device->get, &done);
	if (reach_lost(device->window))
		return false;
	device->get++;
	task = flight_find(&device->flight, done.tag);
	if (!task) {
		device->traffic.unknown++;
		orphans_add(&device->orphans, &done);
		return true;
	}
	device->traffic.completed++;
	task->done = done;
	task_end(device, task);
	return true;
}

/** Takes the completions up to `put` and tells the device. @return the put word after that. */
static uint32_t take_batch(struct device *device, uint32_t put)
{
	while (device->get != put && take_one(device)) {
	}
	regs_store(ring_of(device), POST(get), device->get);
	regs_fence();
	return regs_load(ring_of(device), POST(put));
}

static void drain(struct device *device)
{
	uint32_t entries = ring_entries(device);
	bool full = false;
	uint32_t put;

	put = regs_load(ring_of(device), POST(put));
	while (put != device->get) {
		uint32_t before = device->get;

		if (put - before > entries || reach_lost(device->window)) {
			device->broken = GG_ERR_DEVICE_LOST;
			return;
		}
		put = take_batch(device, put);
		/* If the ring was full, the device may wait for room: it looks again when the
		 * doorbell rings. The broker sees to that where it takes the completions. */
		full = full || (!device->share && put - before >= entries);
	}
	if (full)
		doorbell_ring(device);
}

void pump_drain(struct device *device)
{
	if (device->closed || device->observer)
		return;
	drain(device);
	if (restart_was(device)) {
		drain(device); /* what came just before the restart */
		restart_take(device);
	}
}

/** Waits for the device's interrupt on behalf of all threads. @return as transport_wait(). */
static enum gg_status lead(struct device *device, uint32_t ms)
{
	enum gg_status status;

	device->leading = true;
	(void)pthread_mutex_unlock(&device->lock);
	status = (enum gg_status)transport_wait(device->transport, ms);
	(void)pthread_mutex_lock(&device->lock);
	device->leading = false;
	if (status == GG_OK)
		device->traffic.interrupts++;
	else if (status != GG_ERR_TIMEOUT && status != GG_ERR_CANCELLED)
		device->broken = status;
	(void)pthread_cond_broadcast(&device->changed);
	return status;
}

/** Learns how long the device has stood still. @param waits  Limits run, which stand still with it. */
static void stand_still(struct device *device, bool waits)
{
	const uint64_t stood = transport_stood(device->transport);

	if (waits)
		deadline_skip(stood - device->stood);
	device->stood = stood;
}

/** Why no completion can come any more, or GG_OK. */
static enum gg_status state_of(struct device *device)
{
	uint32_t at = (uint32_t)offsetof(struct gg_cap, state);

	if (device->broken == GG_OK && reach_lost(device->window))
		device->broken = GG_ERR_DEVICE_LOST;
	if (device->broken != GG_OK)
		return device->broken;
	if (regs_load(device->window, at) == GG_DEVICE_STATE_PANIC)
		device->broken = GG_ERR_PANIC;
	return device->broken;
}

/** When a wait ends. */
struct limit {
	uint64_t deadline; /**< On the clock that stands still with the device. */
	uint64_t end;      /**< The same on the clock that goes on. */
	bool waits; /**< The deadline counts; false: the wait is a short look, and the end counts. */
};

/** Milliseconds until then, at most `slice`. */
static uint32_t left(struct device *device, const struct limit *limit, uint32_t slice)
{
	const uint64_t now = deadline_clock();

	if (limit->waits) {
		stand_still(device, true);
		return deadline_left(limit->deadline, slice);
	}
	if (now >= limit->end)
		return 0;
	return limit->end - now < slice ? (uint32_t)(limit->end - now) : slice;
}

static enum gg_status until(struct device *device, uint64_t deadline, uint32_t slice,
			    pump_ready *ready, void *what)
{
	const uint32_t asked = deadline_left(deadline, UINT32_MAX);
	const struct limit limit = { deadline, deadline_clock() + asked, asked > LOOK_MS };

	if (limit.waits)
		stand_still(device, device->leading); /* What was before does not count. */
	for (;;) {
		enum gg_status status;
		uint32_t ms;

		pump_drain(device);
		if (ready(device, what))
			return GG_OK;
		status = device->closed ? GG_ERR_DEVICE_LOST : state_of(device);
		if (status != GG_OK)
			return status;
		ms = left(device, &limit, slice);
		if (ms == 0)
			return GG_ERR_TIMEOUT;
		if (device->leading)
			deadline_cond_wait(&device->changed, &device->lock, ms);
		else if (lead(device, ms) == GG_ERR_CANCELLED && deadline_clock() >= limit.end)
			return GG_ERR_TIMEOUT; /* A signal ends what lasts longer than was asked for. */
	}
}

enum gg_status pump_until(struct device *device, uint64_t deadline, pump_ready *ready, void *what)
{
	return until(device, deadline, SLICE_MS, ready, what);
}

enum gg_status pump_until_polled(struct device *device, uint64_t deadline, pump_ready *ready,
				 void *what)
{
	return until(device, deadline, POLLED_MS, ready, what);
}
