/* SPDX-License-Identifier: Apache-2.0 */
/* The mailbox: channels and their priorities, command decoding, fences, full rings.
 * sources: scheduler tests/unit/fake_run.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/host/channel.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

static struct gg_command command(uint32_t header, uint32_t tag)
{
	return (struct gg_command){ .header = header, .tag = tag };
}

static struct gg_completion expect(uint32_t tag, enum gg_status status)
{
	struct gg_completion done;

	assert_true(fake_completion(&done));
	assert_int_equal(done.tag, tag);
	assert_int_equal((int32_t)done.status, status);
	return done;
}

static void run_ctas(void)
{
	fake_settle(1000);
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		fake_take_packets(sm);
	}
	while (fake_cta_count > 0) {
		fake_end(0, GG_OK);
		fake_settle(100);
	}
}

/* An unknown opcode, flag or argument is refused with its field and value; the next command is
 * taken as if nothing had been. */
static void bad_commands_are_refused(void **state)
{
	struct gg_completion done;
	struct gg_command extra = command(GG_OPCODE_NOP, 4);

	(void)state;
	fake_device_init(1);
	extra.argument2 = 77;
	fake_post(0, command(77, 1));
	fake_post(0, command(255, 2));
	fake_post(0, command(GG_OPCODE_NOP | 1u << 12, 3));
	fake_post(0, extra);
	fake_post(0, command(GG_OPCODE_GRAPH, 5));
	fake_post(0, command(GG_OPCODE_NOP, 6));
	fake_settle(10);
	done = expect(1, GG_ERR_OPCODE);
	assert_int_equal(done.field, GG_FIELD_COMMAND_OPCODE);
	assert_int_equal(done.value_lo, 77);
	(void)expect(2, GG_ERR_OPCODE);
	done = expect(3, GG_ERR_FLAGS);
	assert_int_equal(done.value_lo, 1u << 12);
	done = expect(4, GG_ERR_FLAGS);
	assert_int_equal(done.field, GG_FIELD_COMMAND_ARGUMENT2);
	assert_int_equal(done.value_lo, 77);
	(void)expect(5, GG_ERR_GRAPH_HANDLE);
	(void)expect(6, GG_OK);
	assert_int_equal(device.perf->refused, 5);
}

/* S0-R14: of channels with commands, the one of the highest priority is read first. */
static void channels_are_read_by_priority(void **state)
{
	(void)state;
	fake_device_init(1);
	device.channels[0].priority = 9;
	device.channels[3].priority = 1;
	device.channels[5].priority = 4;
	for (uint32_t tag = 0; tag < 3; tag++) {
		fake_post(0, command(GG_OPCODE_NOP, 10 + tag));
		fake_post(5, command(GG_OPCODE_NOP, 20 + tag));
		fake_post(3, command(GG_OPCODE_NOP, 30 + tag));
	}
	fake_settle(10);
	for (uint32_t index = 0; index < 9; index++) {
		static const uint32_t order[] = { 30, 31, 32, 20, 21, 22, 10, 11, 12 };

		(void)expect(order[index], GG_OK);
	}
}

/* Whether another channel has commands, too. */
static void the_only_channel_is_known(void **state)
{
	bool more = true;

	(void)state;
	fake_device_init(1);
	fake_post(3, command(GG_OPCODE_NOP, 1));
	assert_true(channel_listen());
	assert_int_equal(channel_choose(0, &more), 3);
	assert_false(more);
	fake_post(5, command(GG_OPCODE_NOP, 2));
	assert_true(channel_listen());
	assert_int_equal(channel_choose(0, &more), 5);
	assert_true(more);
	assert_int_equal(channel_choose(1u << 5, &more), 3);
	assert_false(more);
	assert_int_equal(channel_choose(1u << 5 | 1u << 3, &more), CP_CHANNELS);
	assert_false(more);
}

/* S0-R05: what is pushed is copied from whole words of device memory, at most 4 KiB at a time. */
static void the_source_of_a_push_is_checked(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_queue(4096, 4096);
	const uint64_t queue = fake_run(1, &tmd);
	struct gg_command push = command(GG_OPCODE_PUSH, 2);
	const struct {
		uint32_t source, items;
		enum gg_status status;
	} cases[] = {
		{ FAKE_HEAP + FAKE_HEAP_SIZE - 4096, 1024, GG_OK },
		{ FAKE_HEAP + FAKE_HEAP_SIZE - 4096 - 4, 1025, GG_ERR_ARGUMENT },
		{ FAKE_HEAP + FAKE_HEAP_SIZE - 4, 2, GG_ERR_ARGUMENT },
		{ FAKE_HEAP - 4, 1, GG_ERR_ARGUMENT },
		{ FAKE_HEAP + 1, 1, GG_ERR_ARGUMENT },
		{ FAKE_HEAP + 2, 1, GG_ERR_ARGUMENT },
		{ FAKE_HEAP + 3, 1, GG_ERR_ARGUMENT },
	};

	push.address_lo = gg_low(queue);
	for (uint32_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		push.argument1 = cases[index].source;
		push.argument2 = cases[index].items;
		fake_post(0, push);
		fake_settle(10);

		const struct gg_completion done = expect(2, cases[index].status);

		if (cases[index].status != GG_OK) {
			assert_int_equal(done.field, GG_FIELD_COMMAND_ARGUMENT1);
			assert_int_equal(done.value_lo, cases[index].source);
		}
	}
}

/* A host says by a bell byte which channel it means, or by post.rung that it may be any; channels that nobody
 * rang for are left alone. */
static void bells_name_their_channel(void **state)
{
	(void)state;
	fake_device_init(1);
	fake_post(7, command(GG_OPCODE_NOP, 1));
	fake_settle(10);
	(void)expect(1, GG_OK);
	for (uint32_t channel = 0; channel < CP_CHANNELS; channel++) {
		struct gg_channel *words = &device.channels[channel];

		device.commands[channel].entries[words->put % CP_CHANNEL_ENTRIES] =
			command(GG_OPCODE_NOP, 10 + channel);
		words->put++;
	}
	((unsigned char *)device.post->bells)[2]++;
	((unsigned char *)device.post->bells)[6] += 255; /* a byte that falls has changed, too */
	fake_settle(10);
	(void)expect(12, GG_OK);
	(void)expect(16, GG_OK);
	assert_int_equal(device.post->put, device.post->get);
	device.post->rung++;
	fake_settle(10);
	for (uint32_t left = CP_CHANNELS - 2; left != 0; left--) {
		struct gg_completion done;

		assert_true(fake_completion(&done));
		assert_int_equal(done.status, GG_OK);
	}
	assert_int_equal(device.post->put, device.post->get);
}

/* A put word out of range refuses its channel, not the device; a reset reopens it. */
static void bad_put_refuses_the_channel(void **state)
{
	(void)state;
	fake_device_init(1);
	device.channels[2].put = 1000;
	device.post->rung++;
	fake_post(0, command(GG_OPCODE_NOP, 1));
	fake_settle(10);
	assert_int_equal(device.channels[2].state, GG_CHANNEL_STATE_REFUSED);
	assert_int_equal(device.channels[2].refused_put, 1000);
	(void)expect(1, GG_OK);
	device.channels[2].put = 0;
	device.channels[2].reset = 1; /* although there is no command */
	device.post->rung++;
	fake_settle(10);
	assert_int_equal(device.channels[2].state, GG_CHANNEL_STATE_OPEN);
	assert_int_equal(device.channels[2].reset_done, 1);
	fake_post(2, command(GG_OPCODE_NOP, 2));
	fake_settle(10);
	(void)expect(2, GG_OK);
}

/* A full completion ring holds commands back; nothing is lost, and draining it goes on. */
static void full_completion_ring_loses_nothing(void **state)
{
	uint32_t posted = 0;
	uint32_t seen = 0;

	(void)state;
	fake_device_init(1);
	while (posted < 1000) {
		if (device.channels[0].put - device.channels[0].get < CP_CHANNEL_ENTRIES) {
			fake_post(0, command(GG_OPCODE_NOP, posted++));
		} else if (device.post->put - device.post->get == CP_COMPLETION_ENTRIES) {
			(void)expect(seen++, GG_OK);
			device.post->rung++;
		}
		fake_settle(100);
	}
	while (seen < 1000) {
		(void)expect(seen++, GG_OK);
		device.post->rung++;
		fake_settle(100);
	}
}

/* Completions of tasks wait for room, too, in order; commands wait behind them. */
static void tasks_wait_for_room(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	fake_device_init(1);
	fake_submit(0, 5000, &tmd);
	fake_settle(10);
	for (uint32_t tag = 0; tag < CP_COMPLETION_ENTRIES; tag++) {
		fake_post(1, command(GG_OPCODE_NOP, tag));
		fake_settle(10);
	}
	run_ctas();
	fake_post(1, command(GG_OPCODE_NOP, 6000));
	fake_settle(10);
	assert_true(device.perf->post_full > 0);
	for (uint32_t tag = 0; tag < CP_COMPLETION_ENTRIES; tag++) {
		(void)expect(tag, GG_OK);
	}
	device.post->rung++;
	fake_settle(10);
	(void)expect(5000, GG_OK);
	(void)expect(6000, GG_OK);
}

/* A fence completes after what its channel accepted before it, and holds back nothing. */
static void fences_wait_apart(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	fake_device_init(1);
	fake_submit(0, 1, &tmd);
	fake_post(0, command(GG_OPCODE_FENCE, 2));
	fake_post(0, command(GG_OPCODE_NOP, 3));
	fake_post(1, command(GG_OPCODE_FENCE, 4));
	fake_settle(10);
	(void)expect(3, GG_OK);
	(void)expect(4, GG_OK);
	fake_submit(0, 5, &tmd);
	fake_post(0, command(GG_OPCODE_FENCE, 6));
	fake_settle(10);
	run_ctas();
	(void)expect(1, GG_OK);
	(void)expect(2, GG_OK);
	(void)expect(5, GG_OK);
	(void)expect(6, GG_OK);
}

/* Fences in flight are bounded; one too many is refused, and the others complete. */
static void too_many_fences(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	fake_device_init(1);
	fake_submit(0, 1, &tmd);
	for (uint32_t tag = 0; tag <= CP_FENCES; tag++) {
		fake_post(0, command(GG_OPCODE_FENCE, 100 + tag));
	}
	fake_settle(10);
	(void)expect(100 + CP_FENCES, GG_ERR_BUSY);
	run_ctas();
	(void)expect(1, GG_OK);
	for (uint32_t tag = 0; tag < CP_FENCES; tag++) {
		(void)expect(100 + tag, GG_OK);
	}
}

/* CODE is checked like everything else that names memory. */
static void code_range_is_checked(void **state)
{
	struct gg_command code = command(GG_OPCODE_CODE, 1);

	(void)state;
	fake_device_init(1);
	code.address_lo = FAKE_HEAP;
	code.argument0 = 65536;
	fake_post(0, code);
	code.argument0 = 65540;
	fake_post(0, code);
	code.address_lo = FAKE_HEAP - 4;
	code.argument0 = 8;
	fake_post(0, code);
	fake_settle(10);
	(void)expect(1, GG_OK);
	(void)expect(1, GG_ERR_ARGUMENT);
	(void)expect(1, GG_ERR_CODE_RANGE);
}

/* The host is interrupted once for what is posted together, and not at all when it asked so. */
static void interrupts_are_as_asked(void **state)
{
	(void)state;
	fake_device_init(1);
	fake_post(0, command(GG_OPCODE_NOP | GG_COMMAND_NO_INTERRUPT, 1));
	fake_settle(10);
	assert_int_equal(fake_hal.host_rings, 0);
	fake_post(0, command(GG_OPCODE_NOP, 2));
	fake_post(0, command(GG_OPCODE_NOP, 3));
	fake_settle(10);
	assert_int_equal(fake_hal.host_rings, 1);
}

/* S0-R33: the mode is changed at run time; a bad value changes nothing at all. */
static void configuration_is_all_or_nothing(void **state)
{
	struct gg_command set = command(GG_OPCODE_CONFIG, 1);
	struct gg_completion done;

	(void)state;
	fake_device_init(4);
	set.argument0 = 1u << GG_CONFIG_PART_ENABLED | 1u << GG_CONFIG_PART_RANK;
	device.config->enabled[0] = 0x3;
	device.config->rank[0] = 1;
	fake_post(0, set);
	fake_settle(10);
	done = expect(1, GG_ERR_CONFIG);
	assert_int_equal(done.field, GG_FIELD_CONFIG_RANK);
	assert_int_equal(done.value_lo, 1);

	const struct gg_tmd tmd = fake_tmd(4);

	fake_submit(0, 2, &tmd);
	fake_settle(10);
	assert_int_equal(device.sms[3].state_sync, GG_SYNC_STATE_WAIT_ACK);
	run_ctas();
	(void)expect(2, GG_OK);
	device.config->rank[1] = 0;
	fake_post(0, set);
	fake_submit(0, 3, &tmd);
	fake_settle(10);
	(void)expect(1, GG_OK);
	assert_int_equal(device.sms[1].state_sync, GG_SYNC_STATE_WAIT_ACK);
	assert_int_equal(device.sms[3].state_sync, GG_SYNC_STATE_NONE);
	run_ctas();
	(void)expect(3, GG_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_commands_are_refused),
		cmocka_unit_test(channels_are_read_by_priority),
		cmocka_unit_test(bells_name_their_channel),
		cmocka_unit_test(bad_put_refuses_the_channel),
		cmocka_unit_test(full_completion_ring_loses_nothing),
		cmocka_unit_test(tasks_wait_for_room),
		cmocka_unit_test(fences_wait_apart),
		cmocka_unit_test(too_many_fences),
		cmocka_unit_test(code_range_is_checked),
		cmocka_unit_test(interrupts_are_as_asked),
		cmocka_unit_test(configuration_is_all_or_nothing),
		cmocka_unit_test(the_only_channel_is_known),
		cmocka_unit_test(the_source_of_a_push_is_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
