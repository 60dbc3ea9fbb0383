/* SPDX-License-Identifier: Apache-2.0 */
/* The host's checks of a capability block: versions, numbers, places. What works together, and what says what to update.
 * sources: host/lib/transport/layout.c host/lib/transport/transport.c host/lib/core/failure.c
 * host/lib/core/names.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "host/lib/core/failure.h"
#include "host/lib/transport/layout.h"

#define RAM    0x80000000u
#define WINDOW 0x80080000u
#define BLOCK  0x2000u /* bytes between the blocks: more than each of them has */

static const struct place place = { .ram = RAM, .ram_bytes = 1u << 28, .window = WINDOW };

static uint32_t version(uint32_t major, uint32_t minor)
{
	return gg_put(GG_CAP_MAJOR, major) | gg_put(GG_CAP_MINOR, minor);
}

/** A block of a small device, as this host's version has it. */
static struct gg_cap good(void)
{
	struct gg_cap cap = {
		.magic = GG_ABI_MAGIC,
		.abi = version(GG_ABI_MAJOR, GG_ABI_MINOR),
		.bytes = sizeof(cap),
		.xlen = 64,
		.timebase_hz = 10000000,
		.sms = 4,
		.slots = 8,
		.priorities = 10,
		.channels = 4,
		.channel_entries = 16,
		.completion_entries = 16,
		.launch_entries = 2,
		.trace_entries = 16,
		.fault_entries = 2,
		.block_threads_max = 1024,
		.sm_units = 32,
		.launch_stride = 1024,
		.trace_stride = 1024,
		.window_bytes = 64 * BLOCK,
		.heap_bytes_lo = 1u << 20,
	};
	uint32_t *const offsets[] = {
		&cap.config_offset,   &cap.mailbox_offset,     &cap.commands_offset,
		&cap.post_offset,     &cap.completions_offset, &cap.task_table_offset,
		&cap.sm_state_offset, &cap.bells_offset,       &cap.launch_offset,
		&cap.perf_offset,     &cap.trace_offset,       &cap.faults_offset,
		&cap.error_offset,
	};

	for (uint32_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		*offsets[i] = (1 + 2 * i) * BLOCK;
	gg_split(&cap.base_lo, &cap.base_hi, WINDOW);
	gg_split(&cap.heap_lo, &cap.heap_hi, WINDOW + cap.window_bytes);
	return cap;
}

static void expect_refused(const struct gg_cap *cap, const char *name, uint64_t value,
			   const char *message)
{
	assert_int_equal(layout_check(cap, &place), GG_ERR_ABI_VERSION);
	assert_string_equal(failure_last().name, name);
	assert_int_equal(failure_last().value, value);
	assert_string_equal(failure_last().message, message);
}

/* S3-R49: hosts and devices of one major version work together, whichever of them has the newer minor one. */
static void every_minor_works(void **state)
{
	struct gg_cap cap = good();

	(void)state;
	for (uint32_t minor = 0; minor <= GG_CAP_MINOR >> __builtin_ctz(GG_CAP_MINOR); minor++) {
		cap.abi = version(GG_ABI_MAJOR, minor);
		assert_int_equal(layout_check(&cap, &place), GG_OK);
	}
	cap.bytes += 64; /* words that a newer one has added */
	assert_int_equal(layout_check(&cap, &place), GG_OK);
}

/* S3-R49: another major version is refused, and the message says which side to update. */
static void another_major_is_refused(void **state)
{
	struct gg_cap cap = good();

	(void)state;
	assert_int_equal(GG_ABI_MAJOR, 1);
	assert_int_equal(GG_ABI_MINOR, 13);
	cap.abi = version(2, 7);
	expect_refused(&cap, "cap.major", 2,
		       "The device speaks ABI 2.7, this host 1.13: update the host library "
		       "(libganger)");
	cap.abi = version(0, 9);
	expect_refused(&cap, "cap.major", 0,
		       "The device speaks ABI 0.9, this host 1.13: update the device's firmware");
	cap = good();
	cap.bytes = 128;
	expect_refused(&cap, "cap.bytes", 128,
		       "The device's capability block has 128 bytes, this host needs 256: update "
		       "the device's firmware");
}

/* S3-R49: every word of the block that is spoiled is refused, or does not matter; nothing else happens. */
static void spoiled_words(void **state)
{
	static const uint32_t values[] = { 0, 1, 3, 0x7fffffff, 0x80000000, 0xffffffff };
	uint32_t refused = 0;

	(void)state;
	for (uint32_t word = 0; word < sizeof(struct gg_cap) / 4; word++) {
		for (uint32_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			struct gg_cap cap = good();

			((uint32_t *)(void *)&cap)[word] = values[i];
			if (layout_check(&cap, &place) != GG_OK)
				refused++;
		}
	}
	assert_in_range(refused, 100, 384);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_minor_works),
		cmocka_unit_test(another_major_is_refused),
		cmocka_unit_test(spoiled_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
