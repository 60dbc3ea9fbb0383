/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "firmware/abi/field.h"
#include "host/common/deadline.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/control.h"
#include "host/lib/mailbox/device.h"
#include "host/lib/mailbox/doorbell.h"
#include "host/lib/mailbox/pump.h"
#include "host/lib/transport/regs.h"

static void fill_limits(const struct gg_cap *cap, struct gg_info *info)
{
	info->sms = cap->sms;
	info->slots = cap->slots;
	info->priorities = cap->priorities;
	info->channels = cap->channels;
	info->tasks_max = cap->tasks_max;
	info->channel_entries = cap->channel_entries;
	info->completion_entries = cap->completion_entries;
	info->launch_entries = cap->launch_entries;
	info->trace_entries = cap->trace_entries;
	info->fault_entries = cap->fault_entries;
	info->block_threads_max = cap->block_threads_max;
	info->warp_threads = cap->warp_threads;
	info->sm_ctas = cap->sm_ctas;
	info->sm_warps = cap->sm_warps;
	info->sm_units = cap->sm_units;
	info->sm_shared_bytes = cap->sm_shared_bytes;
	info->sm_private_bytes = cap->sm_private_bytes;
	info->sm_registers = cap->sm_registers;
	info->sm_area_bytes = cap->sm_area_bytes;
	info->cgas_max = cap->cgas_max;
	info->cga_ctas_max = cap->cga_ctas_max;
}

static void fill_places(const struct device *device, struct gg_info *info)
{
	const struct gg_cap *cap = &device->cap;

	info->window_bytes = cap->window_bytes;
	info->base = gg_join(cap->base_lo, cap->base_hi);
	info->heap = gg_join(cap->heap_lo, cap->heap_hi);
	info->heap_bytes = gg_join(cap->heap_bytes_lo, cap->heap_bytes_hi);
	info->ram = device->place.ram;
	info->ram_bytes = device->place.ram_bytes;
}

enum gg_status gg_device_info(struct gg_device *handle, struct gg_info *info)
{
	USE_DEVICE(device, handle);
	NEEDS(info);

	const struct gg_cap *cap = &device->cap;

	memset(info, 0, sizeof(*info));
	info->abi_major = gg_get(cap->abi, GG_CAP_MAJOR);
	info->abi_minor = gg_get(cap->abi, GG_CAP_MINOR);
	info->state = regs_load(device->window, (uint32_t)offsetof(struct gg_cap, state));
	info->xlen = cap->xlen;
	info->features = cap->features;
	info->timebase_hz = cap->timebase_hz;
	info->qemu_pid = device->qemu_pid;
	info->build[0] = cap->build0;
	info->build[1] = cap->build1;
	info->build[2] = cap->build2;
	info->build[3] = cap->build3;
	memcpy(info->board, device->board, sizeof(info->board));
	fill_limits(cap, info);
	fill_places(device, info);
	return device_reached(device);
}

#define CAP(field) ((uint32_t)offsetof(struct gg_cap, field))

static bool heart_beats(struct device *device, void *what)
{
	return regs_load(device->window, CAP(heartbeat)) != *(const uint32_t *)what;
}

enum gg_status gg_device_alive(struct gg_device *handle, uint32_t timeout_ms)
{
	USE_DEVICE(device, handle);

	uint64_t deadline = deadline_after(timeout_ms);
	enum gg_status status;
	uint32_t before;

	if (device->observer)
		return failure_status(GG_ERR_BUSY);
	(void)pthread_mutex_lock(&device->lock);
	before = regs_load(device->window, CAP(heartbeat));
	doorbell_ring(device);
	status = pump_until_polled(device, deadline, heart_beats, &before);
	status = device_failure(device, status, "heartbeat of the control processor");
	(void)pthread_mutex_unlock(&device->lock);
	return status;
}

enum gg_status gg_device_stood_still(struct gg_device *handle, uint64_t *ms)
{
	USE_DEVICE(device, handle);
	NEEDS(ms);

	*ms = transport_stood(device->transport);
	return GG_OK;
}

enum gg_status gg_device_clock(struct gg_device *handle, uint32_t timeout_ms, uint64_t *ns)
{
	USE_DEVICE(device, handle);
	NEEDS(ns);

	if (device->observer)
		return failure_status(GG_ERR_BUSY);
	return control_clock(device, timeout_ms, ns);
}
