/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/transport/layout.h"

#include <stdbool.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "host/lib/core/failure.h"
#include "host/lib/transport/regs.h"

#define SMS_MAX      511u
#define CHANNELS_MAX 256u
#define ENTRIES_MAX  (1u << 24)

#define FIND_STEP  4096u
#define FIND_BYTES (64u << 20) /* how far to look: the capability block comes early in memory */

#define WORD(name) #name, (uint32_t)offsetof(struct gg_cap, name)

/** A word of the block and the range of its values. */
struct limit {
	const char *name;
	uint32_t at;  /**< Offset of the word. */
	uint32_t low; /**< Least value. */
	uint32_t high;
	bool power; /**< It has to be a power of two. */
};

static const struct limit limits[] = {
	{ WORD(timebase_hz), 1, UINT32_MAX, false },
	{ WORD(sms), 1, SMS_MAX, false },
	{ WORD(slots), 1, 256, false },
	{ WORD(priorities), 1, 16, false },
	{ WORD(channels), 1, CHANNELS_MAX, false },
	{ WORD(channel_entries), 2, ENTRIES_MAX, true },
	{ WORD(completion_entries), 2, ENTRIES_MAX, true },
	{ WORD(launch_entries), 1, ENTRIES_MAX, true },
	{ WORD(trace_entries), 1, ENTRIES_MAX, true },
	{ WORD(fault_entries), 1, ENTRIES_MAX, true },
	{ WORD(block_threads_max), 1, 65535, false },
	{ WORD(sm_units), 1, 32, false },
};

static uint32_t word_at(const struct gg_cap *cap, uint32_t at)
{
	return ((const uint32_t *)(const void *)cap)[at / 4];
}

static enum gg_status check_limit(const struct gg_cap *cap, const struct limit *limit)
{
	uint32_t value = word_at(cap, limit->at);

	if (value >= limit->low && value <= limit->high &&
	    (!limit->power || (value & (value - 1)) == 0))
		return GG_OK;
	return failure_set(GG_ERR_ABI_VERSION, limit->name, value,
			   "The capability block says %s = %u, which makes no sense", limit->name,
			   value);
}

/** A block: its offset, the bytes of an entry, the number of entries, the bytes from one entry to
 * the next. */
struct block {
	const char *name;
	uint32_t offset;
	uint64_t bytes;
	uint64_t count;
	uint64_t stride;
};

static enum gg_status check_block(const struct gg_cap *cap, const struct block *block)
{
	uint64_t end = block->offset + (block->count - 1) * block->stride + block->bytes;

	if (block->offset >= sizeof(*cap) && block->offset % 4 == 0 && block->stride % 4 == 0 &&
	    block->stride >= block->bytes && end <= cap->window_bytes)
		return GG_OK;
	return failure_set(GG_ERR_ABI_VERSION, block->name, block->offset,
			   "The capability block puts the %s block outside of its window",
			   block->name);
}

static enum gg_status check_blocks(const struct gg_cap *cap)
{
	uint64_t ring = (uint64_t)cap->channel_entries * sizeof(struct gg_command);
	uint64_t launch_entry = sizeof(struct gg_packet) + sizeof(struct gg_report) +
				sizeof(struct gg_request) + sizeof(struct gg_answer);
	uint64_t launch = sizeof(struct gg_launch) + cap->launch_entries * launch_entry;
	uint64_t trace = sizeof(struct gg_trace) +
			 cap->trace_entries * (uint64_t)sizeof(struct gg_trace_record);
	uint64_t faults = cap->fault_entries * (uint64_t)sizeof(struct gg_fault_record);
	const struct block blocks[] = {
		{ "CONFIG", cap->config_offset, sizeof(struct gg_config), 1, 0 },
		{ "MAILBOX", cap->mailbox_offset, sizeof(struct gg_channel), cap->channels, 0 },
		{ "command", cap->commands_offset, ring, cap->channels, 0 },
		{ "POST", cap->post_offset, sizeof(struct gg_post), 1, 0 },
		{ "completion", cap->completions_offset, sizeof(struct gg_completion),
		  cap->completion_entries, 0 },
		{ "TASK TABLE", cap->task_table_offset, sizeof(struct gg_slot), cap->slots, 0 },
		{ "SM STATE", cap->sm_state_offset, sizeof(struct gg_sm_state), cap->sms, 0 },
		{ "bell", cap->bells_offset, (cap->sms + 3u) / 4 * 4, 1, 0 },
		{ "CTA LAUNCH", cap->launch_offset, launch, cap->sms, cap->launch_stride },
		{ "PERF", cap->perf_offset, sizeof(struct gg_perf), 1, 0 },
		{ "TRACE", cap->trace_offset, trace, cap->sms + 1u, cap->trace_stride },
		{ "fault", cap->faults_offset, faults, cap->sms, 0 },
		{ "ERROR", cap->error_offset, sizeof(struct gg_error), 1, 0 },
	};

	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		struct block block = blocks[i];
		enum gg_status status;

		block.stride = block.stride ? block.stride : block.bytes;
		status = check_block(cap, &block);
		if (status != GG_OK)
			return status;
	}
	return GG_OK;
}

/** Whether [start, start + bytes) lies in RAM. */
static bool inside(const struct place *place, uint64_t start, uint64_t bytes)
{
	return start >= place->ram && bytes <= place->ram_bytes &&
	       start - place->ram <= place->ram_bytes - bytes;
}

static enum gg_status check_places(const struct gg_cap *cap, const struct place *place)
{
	uint64_t base = gg_join(cap->base_lo, cap->base_hi);
	uint64_t heap = gg_join(cap->heap_lo, cap->heap_hi);
	uint64_t heap_bytes = gg_join(cap->heap_bytes_lo, cap->heap_bytes_hi);

	if (base != place->window)
		return failure_set(GG_ERR_ABI_VERSION, "cap.base", base,
				   "The capability block is not where it says that it is");
	if (!inside(place, base, cap->window_bytes))
		return failure_set(GG_ERR_ABI_VERSION, "cap.window_bytes", cap->window_bytes,
				   "The register window is larger than device memory");
	if (!inside(place, heap, heap_bytes) || heap < base + cap->window_bytes)
		return failure_set(GG_ERR_ABI_VERSION, "cap.heap", heap,
				   "The device's heap lies outside of device memory");
	return GG_OK;
}

/** What has to be updated. */
static const char *older(bool device)
{
	return device ? "the device's firmware" : "the host library (libganger)";
}

/* Of one major version, hosts and devices of all minor versions work together: a newer one only adds, and a
 * device refuses what it does not know as unsupported. */
static enum gg_status check_version(const struct gg_cap *cap)
{
	uint32_t major = gg_get(cap->abi, GG_CAP_MAJOR);

	if (cap->magic != GG_ABI_MAGIC)
		return failure_set(GG_ERR_ABI_MAGIC, "cap.magic", cap->magic,
				   "There is no capability block: its magic is 0x%08x", cap->magic);
	if (major != GG_ABI_MAJOR)
		return failure_set(GG_ERR_ABI_VERSION, "cap.major", major,
				   "The device speaks ABI %u.%u, this host %u.%u: update %s", major,
				   gg_get(cap->abi, GG_CAP_MINOR), GG_ABI_MAJOR, GG_ABI_MINOR,
				   older(major < GG_ABI_MAJOR));
	/* A newer minor version may have added words behind those that this host knows. */
	if (cap->bytes < sizeof(*cap))
		return failure_set(GG_ERR_ABI_VERSION, "cap.bytes", cap->bytes,
				   "The device's capability block has %u bytes, this host needs "
				   "%zu: update %s",
				   cap->bytes, sizeof(*cap), older(true));
	if (cap->xlen != 32 && cap->xlen != 64)
		return failure_set(GG_ERR_ABI_VERSION, "cap.xlen", cap->xlen,
				   "The device says that its XLEN is %u", cap->xlen);
	return GG_OK;
}

enum gg_status layout_check(const struct gg_cap *cap, const struct place *place)
{
	enum gg_status status = check_version(cap);

	for (size_t i = 0; status == GG_OK && i < sizeof(limits) / sizeof(limits[0]); i++)
		status = check_limit(cap, &limits[i]);
	if (status == GG_OK)
		status = check_blocks(cap);
	if (status == GG_OK)
		status = check_places(cap, place);
	return status;
}

/** Whether there is a capability block at an offset that says where it is. */
static bool is_block(const struct reach *ram, uint32_t offset, struct place *place)
{
	struct gg_cap cap;
	uint64_t base;

	if (regs_load(ram, offset) != GG_ABI_MAGIC)
		return false;
	regs_copy_out(ram, offset, &cap, sizeof(cap));
	base = gg_join(cap.base_lo, cap.base_hi);
	if (base % FIND_STEP != 0 || base < offset)
		return false;
	place->window = base;
	place->ram = base - offset;
	return true;
}

enum gg_status layout_find(uint8_t *ram, struct place *place)
{
	const struct reach all = { .map = ram };
	uint64_t end = place->ram_bytes < FIND_BYTES ? place->ram_bytes : FIND_BYTES;

	for (uint32_t offset = 0; offset + FIND_STEP <= end; offset += FIND_STEP) {
		if (is_block(&all, offset, place))
			return GG_OK;
	}
	return failure_set(GG_ERR_ABI_MAGIC, "cap.magic", 0,
			   "There is no capability block in this memory");
}
