/* SPDX-License-Identifier: Apache-2.0 */
/* Commands with words that they do not know are refused: each names the field and the value, and changes nothing.
 * sources: scheduler tests/unit/fake_run.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define SMS 5u

static struct gg_completion answer(struct gg_command command, enum gg_status status)
{
	command.tag = 7;
	fake_post(1, command);
	fake_settle(100);
	return fake_expect(7, status);
}

static void refused(struct gg_command command, enum gg_status status, uint32_t field,
		    uint64_t value)
{
	const struct gg_completion done = answer(command, status);

	assert_int_equal(done.field, field);
	assert_int_equal(gg_join(done.value_lo, done.value_hi), value);
}

/* What is asked for, what it is asked of, and where. */
static void unknown_words(void **state)
{
	(void)state;
	fake_device_init(1);
	refused((struct gg_command){ .header = GG_OPCODE_TRACE, .argument0 = 2 }, GG_ERR_ARGUMENT,
		GG_FIELD_COMMAND_ARGUMENT0, 2);
	refused((struct gg_command){ .header = GG_OPCODE_QUERY, .argument0 = 9 }, GG_ERR_ARGUMENT,
		GG_FIELD_COMMAND_ARGUMENT0, 9);
	refused((struct gg_command){ .header = GG_OPCODE_GRAPH, .argument2 = 1 }, GG_ERR_ARGUMENT,
		GG_FIELD_COMMAND_ARGUMENT2, 1);
	refused((struct gg_command){ .header = GG_OPCODE_RESET_SM, .argument1 = 3 },
		GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT1, 3);
	refused((struct gg_command){ .header = GG_OPCODE_CANCEL, .argument1 = 2 }, GG_ERR_ARGUMENT,
		GG_FIELD_COMMAND_ARGUMENT1, 2);
}

/* A channel is named by its number alone. */
static void no_channel(void **state)
{
	const struct gg_command suspend = { .header = GG_OPCODE_SUSPEND,
					    .argument1 = GG_TARGET_CHANNEL };
	struct gg_command command = suspend;

	(void)state;
	fake_device_init(1);
	command.argument0 = CP_CHANNELS;
	refused(command, GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, CP_CHANNELS);
	command = suspend;
	command.address_lo = 4;
	refused(command, GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, 0);
	command = suspend;
	command.address_hi = 1;
	refused(command, GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, 0);
	command = (struct gg_command){ .header = GG_OPCODE_NOP, .tag = 1 };
	fake_post(0, command); /* channel 0 was not suspended */
	fake_settle(100);
	fake_expect(1, GG_OK);
}

/* New code begins and ends at a word. */
static void code_of_parts_of_words(void **state)
{
	struct gg_command command = { .header = GG_OPCODE_CODE,
				      .address_lo = FAKE_HEAP + 2,
				      .argument0 = 4 };

	(void)state;
	fake_device_init(1);
	refused(command, GG_ERR_CODE_RANGE, GG_FIELD_COMMAND_ADDRESS, FAKE_HEAP + 2);
	command.address_lo = FAKE_HEAP;
	command.argument0 = 6;
	refused(command, GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, 6);
}

/* The SMs that say that they have CTAs are interrupted, no others, and the answer is how many they are. */
static void busy_sms_look(void **state)
{
	const struct gg_command look = { .header = GG_OPCODE_QUERY,
					 .argument0 = GG_QUERY_WHAT_LOOK };
	uint32_t before[SMS];

	(void)state;
	fake_device_init(SMS);
	assert_int_equal(answer(look, GG_OK).value_lo, 0);
	device.sms[1].resident = 2;
	device.sms[3].resident = 1;
	for (uint32_t sm = 0; sm < SMS; sm++) {
		before[sm] = fake_hal.sm_rings[sm];
	}
	assert_int_equal(answer(look, GG_OK).value_lo, 2);
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_int_equal(fake_hal.sm_rings[sm] - before[sm], sm == 1 || sm == 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_words),
		cmocka_unit_test(no_channel),
		cmocka_unit_test(code_of_parts_of_words),
		cmocka_unit_test(busy_sms_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
