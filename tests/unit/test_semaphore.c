/* SPDX-License-Identifier: Apache-2.0 */
/* Release semaphores: what is done with the word, when, and in which order.
 * sources: room:collect room:finish device */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

static uint32_t *word;
static uint64_t address;

static void begin(uint32_t content)
{
	fake_device_init(1);
	address = fake_alloc(4);
	word = fake_at(address);
	*word = content;
}

static struct gg_tmd releasing(enum gg_semaphore_op op, uint32_t value)
{
	struct gg_tmd tmd = fake_tmd(1);

	tmd.semaphore0_lo = gg_low(address);
	tmd.semaphore0_op = op;
	tmd.semaphore0_value = value;
	return tmd;
}

/* S0-R02, S0-R15: each operation on the word; nothing beside it changes. */
static void each_operation(void **state)
{
	const struct {
		enum gg_semaphore_op op;
		uint32_t old;
		uint32_t value;
		uint32_t result;
	} cases[] = {
		{ GG_SEMAPHORE_OP_NONE, 5, 9, 5 },
		{ GG_SEMAPHORE_OP_RELEASE, 5, 9, 9 },
		{ GG_SEMAPHORE_OP_ADD, 0xfffffffe, 3, 1 },
		{ GG_SEMAPHORE_OP_MINIMUM, 0x80000000, 9, 9 }, /* unsigned */
		{ GG_SEMAPHORE_OP_MINIMUM, 5, 9, 5 },
		{ GG_SEMAPHORE_OP_MAXIMUM, 0x80000000, 9, 0x80000000 },
		{ GG_SEMAPHORE_OP_MAXIMUM, 5, 9, 9 },
		{ GG_SEMAPHORE_OP_AND, 0xf0f0, 0xff00, 0xf000 },
		{ GG_SEMAPHORE_OP_OR, 0xf0f0, 0xff00, 0xfff0 },
		{ GG_SEMAPHORE_OP_XOR, 0xf0f0, 0xff00, 0x0ff0 },
	};

	(void)state;
	for (uint32_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		begin(cases[index].old);
		word[1] = 77;

		const struct gg_tmd tmd = releasing(cases[index].op, cases[index].value);

		fake_run(1, &tmd);
		assert_int_equal(fake_take_all(), 1);
		assert_int_equal(*word, cases[index].old); /* not before the CTA has ended */
		fake_end_all();
		fake_expect(1, GG_OK);
		assert_int_equal(*word, cases[index].result);
		assert_int_equal(word[1], 77);
	}
}

/* S0-R02: two semaphores: the first, then the second, also on one word. */
static void the_first_comes_first(void **state)
{
	(void)state;
	begin(1);

	struct gg_tmd tmd = releasing(GG_SEMAPHORE_OP_ADD, 4);

	tmd.semaphore1_lo = gg_low(address);
	tmd.semaphore1_op = GG_SEMAPHORE_OP_XOR;
	tmd.semaphore1_value = 0xff;
	fake_run(1, &tmd);
	fake_finish();
	assert_int_equal(*word, 5 ^ 0xff);
	tmd.semaphore0_op = GG_SEMAPHORE_OP_NONE;
	tmd.semaphore0_lo = 0xffffffff; /* not looked at */
	fake_run(2, &tmd);
	fake_finish();
	fake_expect(1, GG_OK);
	fake_expect(2, GG_OK);
	assert_int_equal(*word, 5);
}

/* S0-R15: released by a task that ended well only: not when it failed, was cancelled, or a child
 * failed. */
static void only_on_success(void **state)
{
	(void)state;
	begin(3);

	const struct gg_tmd tmd = fake_own(releasing(GG_SEMAPHORE_OP_RELEASE, 9));
	const struct gg_tmd plain = fake_own(fake_tmd(1));
	const struct gg_request request = { .kind = GG_REQUEST_KIND_LAUNCH,
					    .address_lo = gg_low(fake_put_tmd(&plain)) };

	fake_run(1, &tmd);
	fake_take_all();
	fake_end_tag(1, GG_ERR_ABORTED);
	fake_expect(1, GG_ERR_ABORTED);
	const uint64_t cancelled = fake_run(2, &tmd);

	fake_take_all();
	fake_name(3, GG_OPCODE_CANCEL, cancelled);
	fake_stop_all();
	fake_expect(3, GG_OK);
	fake_expect(2, GG_ERR_CANCELLED);
	fake_run(4, &tmd);
	fake_take_all();
	assert_int_equal(fake_request(0, request).answer_status, GG_OK);
	fake_end_all();
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(*word, 3); /* its child is not over */
	fake_end(0, GG_ERR_ABORTED);
	fake_settle(10);
	fake_expect(4, GG_ERR_ABORTED);
	assert_int_equal(*word, 3);
}

/* S0-R15: semaphores come before dependents: one that runs sees the word. A task without CTAs
 * releases, too. */
static void before_dependents(void **state)
{
	(void)state;
	begin(3);

	const struct gg_tmd tmd = releasing(GG_SEMAPHORE_OP_RELEASE, 9);
	const uint64_t first = fake_run(1, &tmd);
	struct gg_tmd null =
		fake_with_type(releasing(GG_SEMAPHORE_OP_ADD, 1), GG_TASK_TYPE_GRID_NULL);

	fake_set_after(&null, &first, 1);
	fake_run(2, &null);
	fake_finish();
	fake_expect(1, GG_OK);
	fake_expect(2, GG_OK);
	assert_int_equal(*word, 10);
}

/* S0-R02: wrong fields are refused, with the field, and nothing is written. */
static void wrong_fields(void **state)
{
	(void)state;
	begin(3);

	struct gg_tmd tmd = releasing(GG_SEMAPHORE_OP_RELEASE, 9);

	tmd.semaphore0_op = GG_SEMAPHORE_OP_XOR + 1;
	fake_run(1, &tmd);
	assert_int_equal(fake_expect(1, GG_ERR_SEMAPHORE).field, GG_FIELD_TMD_SEMAPHORE0_OP);
	tmd = releasing(GG_SEMAPHORE_OP_RELEASE, 9);
	tmd.semaphore0_lo += 2;
	fake_run(2, &tmd);
	assert_int_equal(fake_expect(2, GG_ERR_SEMAPHORE).field, GG_FIELD_TMD_SEMAPHORE0);
	tmd.semaphore0_lo = FAKE_HEAP + FAKE_HEAP_SIZE;
	fake_run(3, &tmd);
	assert_int_equal(fake_expect(3, GG_ERR_SEMAPHORE).field, GG_FIELD_TMD_SEMAPHORE0);
	tmd = fake_tmd(1);
	tmd.semaphore1_op = GG_SEMAPHORE_OP_ADD; /* at address 0 */
	fake_run(4, &tmd);
	assert_int_equal(fake_expect(4, GG_ERR_SEMAPHORE).field, GG_FIELD_TMD_SEMAPHORE1);
	assert_int_equal(*word, 3);
	assert_int_equal(device.perf->tasks_accepted, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_operation),  cmocka_unit_test(the_first_comes_first),
		cmocka_unit_test(only_on_success), cmocka_unit_test(before_dependents),
		cmocka_unit_test(wrong_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
