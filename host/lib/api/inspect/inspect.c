/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "firmware/abi/field.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/command.h"
#include "host/lib/mailbox/completion.h"
#include "host/lib/mailbox/control.h"
#include "host/lib/mailbox/device.h"
#include "host/lib/mailbox/pump.h"
#include "host/lib/transport/reach.h"
#include "host/lib/transport/regs.h"

static enum gg_status check_words(const struct device *device, uint32_t offset, uint32_t count)
{
	if (offset % 4 == 0 && offset + 4 * (uint64_t)count <= device->cap.window_bytes)
		return GG_OK;
	return failure_set(GG_ERR_ARGUMENT, "offset", offset,
			   "%u words at offset 0x%x are not in the register window", count, offset);
}

/** Shows a host with a share the words of the capability block that tell of its share. */
static void show_share(const struct device *device, uint32_t offset, uint32_t *words,
		       uint32_t count)
{
	static const size_t own[] = {
		offsetof(struct gg_cap, channels),        offsetof(struct gg_cap, mailbox_offset),
		offsetof(struct gg_cap, commands_offset), offsetof(struct gg_cap, heap_lo),
		offsetof(struct gg_cap, heap_hi),         offsetof(struct gg_cap, heap_bytes_lo),
		offsetof(struct gg_cap, heap_bytes_hi),
	};

	for (size_t i = 0; device->share && i < sizeof(own) / sizeof(own[0]); i++) {
		if (own[i] >= offset && (own[i] - offset) / 4 < count)
			memcpy(&words[(own[i] - offset) / 4],
			       (const uint8_t *)&device->cap + own[i], sizeof(*words));
	}
}

enum gg_status gg_regs_read(struct gg_device *handle, uint32_t offset, uint32_t *words,
			    uint32_t count)
{
	USE_DEVICE(device, handle);
	NEEDS_FOR(count > 0, words);

	enum gg_status status = check_words(device, offset, count);

	if (status != GG_OK)
		return status;
	regs_copy_out(device->window, offset, words, 4 * (size_t)count);
	show_share(device, offset, words, count);
	return device_reached(device);
}

enum gg_status gg_regs_write(struct gg_device *handle, uint32_t offset, const uint32_t *words,
			     uint32_t count)
{
	USE_DEVICE(device, handle);
	NEEDS_FOR(count > 0, words);

	enum gg_status status = check_words(device, offset, count);

	if (status == GG_OK && device->observer)
		status = failure_status(GG_ERR_BUSY);
	if (status == GG_OK)
		regs_copy_in(device->window, offset, words, 4 * (size_t)count);
	return status == GG_OK ? device_reached(device) : status;
}

enum gg_status gg_stat(struct gg_device *handle, struct gg_perf *perf)
{
	USE_DEVICE(device, handle);
	NEEDS(perf);

	regs_copy_out(device->window, device->cap.perf_offset, perf, sizeof(*perf));
	return device_reached(device);
}

enum gg_status gg_query(struct gg_device *handle, uint32_t what, uint32_t timeout_ms,
			uint64_t *value)
{
	USE_DEVICE(device, handle);
	NEEDS(value);

	return control_query(device, what, timeout_ms, value);
}

enum gg_status gg_sm_reset(struct gg_device *handle, uint32_t sm, uint32_t timeout_ms)
{
	USE_DEVICE(device, handle);

	struct gg_raw raw = {
		.channel = control_channel(device, 0),
		.opcode = GG_OPCODE_RESET_SM,
		.argument = { sm },
	};

	return command_call(device, &raw, timeout_ms, NULL);
}

enum gg_status gg_device_restart(struct gg_device *handle, uint32_t timeout_ms)
{
	USE_DEVICE(device, handle);

	struct gg_raw raw = {
		.channel = control_channel(device, 0),
		.opcode = GG_OPCODE_RESET_SM,
		.argument = { 0, GG_TARGET_DEVICE },
	};
	enum gg_status status;

	if ((device->cap.features & 1u << GG_FEATURE_RESTARTS) == 0)
		return failure_set(GG_ERR_UNSUPPORTED, "cap.features", device->cap.features,
				   "The firmware of this device has no restart");
	status = command_call(device, &raw, timeout_ms, NULL);
	return status == GG_ERR_DEVICE_RESET ? GG_OK : status; /* so it ends, like all others */
}

enum gg_status gg_trace_enable(struct gg_device *handle, uint32_t on, uint32_t timeout_ms)
{
	USE_DEVICE(device, handle);

	struct gg_raw raw = {
		.channel = control_channel(device, 0),
		.opcode = GG_OPCODE_TRACE,
		.argument = { on },
	};

	return command_call(device, &raw, timeout_ms, NULL);
}

/** Joins the registers of a record, each of which is two words. */
static void join_registers(const uint32_t *words, uint64_t registers[31])
{
	for (size_t i = 0; i < 31; i++)
		registers[i] = gg_join(words[2 * i], words[2 * i + 1]);
}

static void decode_fault(const struct gg_fault_record *from, struct gg_fault *fault)
{
	memset(fault, 0, sizeof(*fault));
	fault->status = (int32_t)from->status;
	fault->tag = from->tag;
	fault->sm = from->sm;
	fault->thread = from->thread;
	fault->cause = from->cause;
	fault->context = from->context;
	fault->cga = from->cga;
	fault->cga_rank = from->cga_rank;
	fault->cta = gg_join(from->cta_lo, from->cta_hi);
	fault->pc = gg_join(from->pc_lo, from->pc_hi);
	fault->address = gg_join(from->address_lo, from->address_hi);
	join_registers(from->registers, fault->registers);
}

enum gg_status gg_fault_read(struct gg_device *handle, uint32_t sm, uint32_t sequence,
			     struct gg_fault *fault)
{
	USE_DEVICE(device, handle);
	NEEDS(fault);

	struct gg_fault_record from;

	if (sm >= device->cap.sms || sequence == 0)
		return failure_set(GG_ERR_ARGUMENT, "sm", sm, "There is no such fault record");
	for (uint32_t i = 0; i < device->cap.fault_entries; i++) {
		uint32_t index = sm * device->cap.fault_entries + i;
		uint32_t at = device->cap.faults_offset + index * (uint32_t)sizeof(from);

		regs_copy_out(device->window, at, &from, sizeof(from));
		if (reach_lost(device->window))
			return device_reached(device);
		/* The second look tells that the record was not overwritten while it was read. */
		if ((from.sequence & 0xffffu) == sequence &&
		    regs_load(device->window, at) == from.sequence) {
			decode_fault(&from, fault);
			return GG_OK;
		}
	}
	return failure_set(GG_ERR_ARGUMENT, "sequence", sequence,
			   "The fault record was overwritten by later ones");
}

enum gg_status gg_panic_read(struct gg_device *handle, struct gg_panic *panic)
{
	USE_DEVICE(device, handle);
	NEEDS(panic);

	struct gg_error from;

	regs_copy_out(device->window, device->cap.error_offset, &from, sizeof(from));
	if (reach_lost(device->window))
		return device_reached(device);
	memset(panic, 0, sizeof(*panic));
	panic->panics = from.panics;
	panic->cause = from.cause;
	panic->line = from.line;
	panic->pc = gg_join(from.pc_lo, from.pc_hi);
	panic->address = gg_join(from.address_lo, from.address_hi);
	memcpy(panic->file, from.file, sizeof(panic->file) - 1);
	join_registers(from.registers, panic->registers);
	return GG_OK;
}

enum gg_status gg_orphans(struct gg_device *handle, struct gg_done *done, uint32_t capacity,
			  uint32_t *count)
{
	USE_DEVICE(device, handle);
	NEEDS(count);
	NEEDS_FOR(capacity > 0, done);

	(void)pthread_mutex_lock(&device->lock);
	*count = 0;
	pump_drain(device);
	while (*count < capacity && orphans_take(&device->orphans, &done[*count]))
		(*count)++;
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}
