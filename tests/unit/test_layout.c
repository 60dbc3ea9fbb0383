/* SPDX-License-Identifier: Apache-2.0 */
/* Layout of device memory: blocks do not overlap, parts follow each other, too little is refused; the map of it.
 * sources: firmware/cp/base/device.c firmware/cp/start/layout.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/start/layout.h"
#include "firmware/cp/task/task.h"

#define BASE    0x80080000u
#define RUNTIME 0x8000u
#define UNITS   0xf8000u

static enum gg_status make(uint32_t sms, uint64_t end, struct gg_cap *cap, struct layout *layout)
{
	const struct layout_input input = {
		.abi_base = BASE,
		.memory_end = end,
		.sms = sms,
		.sm_area_bytes = RUNTIME + UNITS,
		.sm_runtime_bytes = RUNTIME,
	};

	memset(cap, 0, sizeof(*cap));
	return layout_make(&input, cap, layout);
}

/* Blocks in their order, and the first byte after the last. */
static void offsets_of(const struct gg_cap *cap, uint32_t offsets[14])
{
	const uint32_t all[14] = {
		cap->config_offset,   cap->mailbox_offset,     cap->commands_offset,
		cap->post_offset,     cap->completions_offset, cap->task_table_offset,
		cap->sm_state_offset, cap->bells_offset,       cap->launch_offset,
		cap->perf_offset,     cap->trace_offset,       cap->faults_offset,
		cap->error_offset,    cap->registers_offset,
	};

	memcpy(offsets, all, sizeof(all));
}

/* Every block has room for its entries before the next one begins, for any number of SMs. */
static void blocks_do_not_overlap(void **state)
{
	(void)state;
	for (uint32_t sms = 1; sms <= 511; sms++) {
		struct gg_cap cap;
		struct layout layout;
		uint32_t offsets[14];
		const uint64_t sizes[13] = {
			sizeof(struct gg_config),
			sizeof(struct gg_channel) * CP_CHANNELS,
			sizeof(struct command_ring) * CP_CHANNELS,
			sizeof(struct gg_post),
			sizeof(struct gg_completion) * CP_COMPLETION_ENTRIES,
			sizeof(struct gg_slot) * CP_SLOTS,
			sizeof(struct gg_sm_state) * sms,
			(sms + 3) / 4 * 4,
			sizeof(struct launch_rings) * sms,
			sizeof(struct gg_perf),
			sizeof(struct trace_ring) * (sms + 1),
			sizeof(struct gg_fault_record) * CP_FAULT_ENTRIES * sms,
			sizeof(struct gg_error),
		};

		assert_int_equal(make(sms, 0x100000000u, &cap, &layout), GG_OK);
		offsets_of(&cap, offsets);
		assert_true(offsets[0] >= sizeof(struct gg_cap));
		for (uint32_t block = 0; block < 13; block++) {
			assert_int_equal(offsets[block] % 64, 0);
			assert_true(offsets[block] + sizes[block] <= offsets[block + 1]);
		}
		assert_true(cap.registers_offset <= cap.window_bytes);
		assert_int_equal(cap.sm_area_bytes, RUNTIME + UNITS);
		assert_int_equal(layout.runtimes, BASE + (uint64_t)cap.window_bytes);
		assert_int_equal(layout.units, layout.runtimes + sms * (uint64_t)RUNTIME);
		assert_int_equal(layout.pool, layout.units + sms * (uint64_t)UNITS);
		assert_int_equal(layout.pool_bytes / LAYOUT_PAGE,
				 ((0x100000000u - layout.pool) / LAYOUT_PAGE + 3) / 4);
		assert_int_equal(layout.graphs, layout.pool + layout.pool_bytes);
		assert_in_range(layout.graphs_bytes, LAYOUT_PAGE, 0x800000);
		assert_int_equal(layout.heap, layout.graphs + layout.graphs_bytes);
		assert_true(layout.heap + layout.heap_bytes <= 0x100000000u);
		assert_int_equal(gg_join(cap.heap_lo, cap.heap_hi), layout.heap);
	}
}

/* Memory that is too small for the SMs is said, not used. */
static void too_little_memory_is_refused(void **state)
{
	struct gg_cap cap;
	struct layout layout;

	(void)state;
	assert_int_equal(make(8, BASE + 0x800000u, &cap, &layout), GG_ERR_NO_MEMORY);
	assert_int_equal(make(8, 0x100000000u, &cap, &layout), GG_OK);
	assert_int_equal(make(511, 0x88000000u, &cap, &layout), GG_ERR_NO_MEMORY);
}

/* Each pointer of the map is at the offset that the capability block says. Nothing is read or written there. */
static void map_follows_the_offsets(void **state)
{
	static unsigned char base[1];
	struct gg_cap cap;
	struct layout layout;

	(void)state;
	for (uint32_t sms = 32; sms <= 33; sms++) {
		assert_int_equal(make(sms, 0x100000000u, &cap, &layout), GG_OK);
		layout_map(&cap, base);

		const struct {
			const void *mapped;
			uint32_t offset;
		} blocks[] = {
			{ device.config, cap.config_offset },
			{ device.channels, cap.mailbox_offset },
			{ device.commands, cap.commands_offset },
			{ device.post, cap.post_offset },
			{ device.completions, cap.completions_offset },
			{ device.slots, cap.task_table_offset },
			{ device.sms, cap.sm_state_offset },
			{ device.bells, cap.bells_offset },
			{ device.launch, cap.launch_offset },
			{ device.perf, cap.perf_offset },
			{ device.trace, cap.trace_offset },
			{ device.error, cap.error_offset },
			{ device.clusters, cap.cluster_offset },
			{ device.work, cap.work_offset },
			{ device.locals, cap.local_offset },
			{ device.pulls, cap.pull_offset },
			{ device.waves, cap.wave_offset },
		};

		for (uint32_t block = 0; block < sizeof(blocks) / sizeof(blocks[0]); block++) {
			assert_int_not_equal(blocks[block].offset, 0);
			assert_int_equal((uintptr_t)blocks[block].mapped - (uintptr_t)base,
					 blocks[block].offset);
		}
		assert_ptr_equal(device.cap, &cap);
		assert_int_equal(device.sms_count, sms);
		assert_int_equal(device.sm_words, sms - 31);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_do_not_overlap),
		cmocka_unit_test(too_little_memory_is_refused),
		cmocka_unit_test(map_follows_the_offsets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
