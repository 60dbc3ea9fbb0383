/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/start/layout.h"

#include <stdbool.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/task/task.h"
#include "firmware/sm/sm_area.h"

#define POOL_SHARE   4u        /* the task pool gets 1/4 of the memory behind the SMs' */
#define GRAPHS_SHARE 32u       /* task graphs get 1/32 of the same memory, */
#define GRAPHS_MOST  0x800000u /* but at most this many bytes */
#define HEAP_MIN     0x10000u  /* bytes of the smallest heap that is of use */

/** A register block: its size, and where the capability block has its offset. */
struct part {
	uint16_t offset_word; /* index of the word of the capability block */
	uint32_t bytes;       /* of one entry */
	bool per_sm;          /* an entry for each SM */
	uint32_t more;        /* entries besides those of the SMs */
};

#define CAP_WORD(name) (offsetof(struct gg_cap, name) / 4)

static const struct part parts[] = {
	{ CAP_WORD(config_offset), sizeof(struct gg_config), false, 1 },
	{ CAP_WORD(mailbox_offset), sizeof(struct gg_channel), false, CP_CHANNELS },
	{ CAP_WORD(commands_offset), sizeof(struct command_ring), false, CP_CHANNELS },
	{ CAP_WORD(post_offset), sizeof(struct gg_post), false, 1 },
	{ CAP_WORD(completions_offset), sizeof(struct gg_completion), false,
	  CP_COMPLETION_ENTRIES },
	{ CAP_WORD(task_table_offset), sizeof(struct gg_slot), false, CP_SLOTS },
	{ CAP_WORD(sm_state_offset), sizeof(struct gg_sm_state), true, 0 },
	{ CAP_WORD(bells_offset), 1, true, 3 }, /* a byte an SM, in whole words */
	{ CAP_WORD(launch_offset), sizeof(struct launch_rings), true, 0 },
	{ CAP_WORD(perf_offset), sizeof(struct gg_perf), false, 1 },
	{ CAP_WORD(trace_offset), sizeof(struct trace_ring), true, 1 },
	{ CAP_WORD(faults_offset), sizeof(struct gg_fault_record) * CP_FAULT_ENTRIES, true, 0 },
	{ CAP_WORD(cluster_offset), sizeof(struct gg_cluster), true, 0 },
	{ CAP_WORD(work_offset), sizeof(struct gg_work_entry), false, CP_SLOTS },
	{ CAP_WORD(local_offset), sizeof(struct gg_local_queue), false, CP_GPCS *CP_SLOTS },
	{ CAP_WORD(pull_offset), sizeof(struct gg_pull), true, 0 },
	{ CAP_WORD(wave_offset), sizeof(struct wave_block), false, CP_SLOTS },
	{ CAP_WORD(error_offset), sizeof(struct gg_error), false, 1 },
	{ CAP_WORD(registers_offset), 0, false, 0 },
};

static uint64_t align(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

static uint64_t place_blocks(struct gg_cap *cap, uint32_t sms)
{
	uint32_t *words = (uint32_t *)cap;
	uint64_t at = align(sizeof(*cap), 64);

	for (uint32_t index = 0; index < sizeof(parts) / sizeof(parts[0]); index++) {
		const struct part *part = &parts[index];
		const uint64_t count = part->more + (part->per_sm ? sms : 0);

		words[part->offset_word] = (uint32_t)at;
		at = align(at + count * part->bytes, 64);
	}
	return at;
}

static void place_limits(struct gg_cap *cap, const struct layout_input *input)
{
	cap->bytes = sizeof(*cap);
	cap->abi = gg_put(GG_CAP_MAJOR, GG_ABI_MAJOR) | gg_put(GG_CAP_MINOR, GG_ABI_MINOR);
	cap->sms = input->sms;
	cap->slots = CP_SLOTS;
	cap->priorities = CP_PRIORITIES;
	cap->channels = CP_CHANNELS;
	cap->channel_entries = CP_CHANNEL_ENTRIES;
	cap->completion_entries = CP_COMPLETION_ENTRIES;
	cap->launch_entries = CP_LAUNCH_ENTRIES;
	cap->trace_entries = CP_TRACE_ENTRIES;
	cap->fault_entries = CP_FAULT_ENTRIES;
	cap->block_threads_max = CP_BLOCK_THREADS;
	cap->warp_threads = CP_WARP_THREADS;
	cap->launch_stride = sizeof(struct launch_rings);
	cap->trace_stride = sizeof(struct trace_ring);
	cap->cluster_stride = sizeof(struct gg_cluster);
	cap->cgas_max = part_is_here(GG_FEATURE_CLUSTERS) ? CP_CGAS : 0;
	cap->cga_ctas_max = part_is_here(GG_FEATURE_CLUSTERS) ? CP_CGA_CTAS : 0;
	cap->sm_area_bytes = input->sm_area_bytes;
}

static uint64_t graphs_bytes(uint64_t rest)
{
	const uint64_t share = align(rest / GRAPHS_SHARE, LAYOUT_PAGE);

	if (!part_is_here(GG_FEATURE_GRAPHS)) {
		return 0;
	}
	return share < GRAPHS_MOST ? share : GRAPHS_MOST;
}

enum gg_status layout_make(const struct layout_input *input, struct gg_cap *cap,
			   struct layout *layout)
{
	place_limits(cap, input);
	cap->window_bytes =
		(uint32_t)align(place_blocks(cap, input->sms) + SM_BELOW_BYTES, LAYOUT_PAGE);

	const uint64_t runtimes = input->abi_base + cap->window_bytes;
	const uint64_t units = runtimes + (uint64_t)input->sms * input->sm_runtime_bytes;
	const uint64_t pool = runtimes + (uint64_t)input->sms * input->sm_area_bytes;

	if (pool + HEAP_MIN + POOL_SHARE * sizeof(struct task) > input->memory_end) {
		return GG_ERR_NO_MEMORY;
	}
	layout->runtimes = runtimes;
	layout->units = units;
	layout->pool = pool;
	layout->pool_bytes = align((input->memory_end - pool) / POOL_SHARE, LAYOUT_PAGE);
	layout->graphs = pool + layout->pool_bytes;
	layout->graphs_bytes = graphs_bytes(input->memory_end - pool);
	layout->heap = layout->graphs + layout->graphs_bytes;
	layout->heap_bytes = (input->memory_end - layout->heap) / LAYOUT_PAGE * LAYOUT_PAGE;
	gg_split(&cap->base_lo, &cap->base_hi, input->abi_base);
	gg_split(&cap->heap_lo, &cap->heap_hi, layout->heap);
	gg_split(&cap->heap_bytes_lo, &cap->heap_bytes_hi, layout->heap_bytes);
	return GG_OK;
}

/* The blocks are aligned to 64 bytes, so the casts are safe. */
void layout_map(struct gg_cap *cap, unsigned char *base)
{
	device.cap = cap;
	device.config = (void *)(base + cap->config_offset);
	device.channels = (void *)(base + cap->mailbox_offset);
	device.commands = (void *)(base + cap->commands_offset);
	device.post = (void *)(base + cap->post_offset);
	device.completions = (void *)(base + cap->completions_offset);
	device.slots = (void *)(base + cap->task_table_offset);
	device.sms = (void *)(base + cap->sm_state_offset);
	device.bells = (void *)(base + cap->bells_offset);
	device.launch = (void *)(base + cap->launch_offset);
	device.perf = (void *)(base + cap->perf_offset);
	device.trace = (void *)(base + cap->trace_offset);
	device.error = (void *)(base + cap->error_offset);
	device.clusters = (void *)(base + cap->cluster_offset);
	device.work = (void *)(base + cap->work_offset);
	device.locals = (void *)(base + cap->local_offset);
	device.pulls = (void *)(base + cap->pull_offset);
	device.waves = (void *)(base + cap->wave_offset);
	device.sms_count = cap->sms;
	device.sm_words = (cap->sms + 31) / 32;
}
