/* SPDX-License-Identifier: Apache-2.0 */
/* Children that kernels launch: life, failure, cancelling, continuations.
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

/* S0-R07: a child runs without the host, which hears of the parent only, when both are over. */
static void a_child_belongs_to_its_parent(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_own(fake_tmd(1));
	const uint64_t child = fake_put_own(fake_with_priority(fake_tmd(3), 2));

	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(fake_launch(0, child), GG_OK);
	assert_int_equal(fake_take_all(), 4);
	assert_int_equal(device.slots[fake_ctas[1].slot].priority, 2);
	assert_int_equal(fake_count(1), 4); /* the tag is the root's */
	fake_end(0, GG_OK);
	fake_settle(10);
	fake_expect_none();
	fake_end_all();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 1);
	fake_expect_none();
	assert_int_equal(device.perf->tasks_completed, 1);
}

/* S0-R07: only CTAs of the task that a slot has may ask; what tells them from those of another task before it is a generation of
 * 16 bits, all of which count. */
static void whose_request(void **state)
{
	static const uint32_t before[] = { 0, 0x7fff, 0xfffe, 0xffff };
	const struct gg_tmd tmd = fake_own(fake_tmd(1));

	(void)state;
	for (uint32_t at = 0; at < 4; at++) {
		fake_device_init(1);
		device.slots[0].generation = before[at];
		const uint64_t child = fake_put_own(fake_tmd(1));

		fake_run(1, &tmd);
		assert_int_equal(fake_take_all(), 1);
		for (uint32_t bit = 0; bit < 16; bit++) {
			fake_ctas[0].task ^= 0x10000u << bit;
			assert_int_equal(fake_launch(0, child), GG_ERR_CANCELLED);
			fake_ctas[0].task ^= 0x10000u << bit;
		}
		assert_int_equal(fake_launch(0, child), GG_OK);
		fake_finish();
		fake_expect(1, GG_OK);
	}
}

/* S0-R07: children of children: 32 generations and not one more. */
static void depth_is_bounded(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_own(fake_tmd(1));
	const uint64_t child = fake_put_own(tmd);

	fake_run(1, &tmd);
	for (uint32_t depth = 0; depth <= 32; depth++) {
		assert_int_equal(fake_take_all(), 1);
		assert_int_equal(fake_launch(0, child), depth < 32 ? GG_OK : GG_ERR_DEPTH);
		fake_expect_none();
		fake_end_all();
	}
	fake_expect(1, GG_OK);
	assert_int_equal(device.perf->tasks_completed, 1);
}

/* S0-R07: a child's failure is its parent's, with its record; siblings are cancelled. */
static void a_child_fails(void **state)
{
	(void)state;
	fake_device_init(2);

	const struct gg_tmd tmd = fake_own(fake_tmd(2));
	const uint64_t child = fake_put_own(fake_with_priority(fake_tmd(3), 2));

	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), 2);
	assert_int_equal(fake_launch(0, child), GG_OK);
	assert_int_equal(fake_launch(1, child), GG_OK);
	assert_int_equal(fake_take_all(), 8);
	fake_end(2, GG_ERR_FAULT_ILLEGAL);
	fake_settle(10);
	fake_expect_none();
	assert_int_equal(fake_launch(0, child),
			 GG_OK); /* not known to have failed: the child is not over */
	fake_stop_all();         /* the child */
	fake_stop_all();         /* its parent, and with it the other children */
	fake_expect(1, GG_ERR_FAULT_ILLEGAL);
	assert_int_equal(fake_cta_count, 0);
	assert_int_equal(device.perf->tasks_failed, 1);
}

/* S0-R07: a parent that fails takes all its descendants with it, and starts no more. */
static void a_parent_fails(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_own(fake_tmd(2));
	const uint64_t child = fake_put_own(fake_with_priority(fake_tmd(2), 2));

	fake_run(1, &tmd);
	fake_take_all();
	assert_int_equal(fake_launch(0, child), GG_OK);
	fake_take_all();
	assert_int_equal(fake_launch(2, child), GG_OK); /* a child's child */
	assert_int_equal(fake_take_all(), 6);
	fake_end(0, GG_ERR_TIME_LIMIT);
	fake_settle(10);
	for (uint32_t cta = 0; cta < 5; cta++) {
		assert_int_equal(fake_launch(cta, child), GG_ERR_CANCELLED);
	}
	fake_stop_all();
	assert_int_equal(fake_cta_count, 0);
	fake_expect(1, GG_ERR_TIME_LIMIT);
	fake_expect_none();
}

/* S0-R07: cancelling takes descendants in every state: running, held, parked, suspended,
 * pending. */
static void cancel_takes_descendants(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_own(fake_tmd(1));
	struct gg_tmd held = fake_own(fake_tmd(1));
	const struct gg_tmd parked = fake_queue(8, 2);
	const uint64_t child = fake_put_own(fake_with_priority(fake_tmd(20), 2));
	const uint64_t suspended = fake_put_own(fake_tmd(3));

	held.dependence_count = 1;
	const uint64_t root = fake_run(1, &tmd);

	fake_take_all();
	assert_int_equal(fake_launch(0, suspended), GG_OK);
	fake_name(5, GG_OPCODE_SUSPEND, suspended);
	fake_expect(5, GG_OK);
	assert_int_equal(fake_launch(0, fake_put_tmd(&held)), GG_OK);
	assert_int_equal(fake_launch(0, fake_put_tmd(&parked)), GG_OK);
	for (uint32_t count = 0; count < 40; count++) { /* more than there are slots */
		assert_int_equal(fake_launch(0, child), GG_OK);
	}
	assert_int_equal(fake_take_all(), 8);
	fake_name(6, GG_OPCODE_CANCEL, root);
	fake_expect(6, GG_OK);
	fake_expect_none();
	fake_stop_all();
	assert_int_equal(fake_cta_count, 0);
	fake_expect(1, GG_ERR_CANCELLED);
	fake_expect_none();
	assert_int_equal(fake_run(2, &tmd) != 0 ? fake_take_all() : 0, 1);
	fake_end_all();
	fake_expect(2, GG_OK);
}

/* S0-R08: a CTA leaves its state in a queue task that waits for its children, and exits. */
static void a_continuation_runs_after_the_children(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_own(fake_tmd(1));
	struct gg_tmd next = fake_with_priority(fake_queue(1, 1), 3);
	struct gg_tmd child = fake_own(fake_tmd(1));

	next.header |= GG_TMD_CLOSED;
	next.queue_outstanding = 1;
	next.dependence_count = 2;
	const uint64_t continuation = fake_put_tmd(&next);
	const struct gg_dependent entry =
		fake_edge(continuation, GG_DEPENDENCE_ACTION_DECREMENT, 0);

	fake_set_dependents(&child, &entry, 1);
	fake_run(1, &tmd);
	fake_take_all();
	assert_int_equal(fake_launch(0, continuation), GG_OK);
	assert_int_equal(fake_launch(0, fake_put_tmd(&child)), GG_OK);
	assert_int_equal(fake_launch(0, fake_put_tmd(&child)), GG_OK);
	assert_int_equal(fake_launch(0, fake_put_tmd(&child)), GG_ERR_DEPENDENT);
	fake_end(0, GG_OK);
	fake_settle(10);
	assert_int_equal(fake_take_all(), 2);
	fake_end(0, GG_OK);
	assert_int_equal(fake_take_all(), 1);
	fake_end(0, GG_OK);
	assert_int_equal(fake_take_all(), 1);
	assert_int_equal(device.slots[fake_ctas[0].slot].priority, 3);
	assert_int_equal(fake_ctas[0].items, 1);
	fake_expect_none();
	fake_end_all();
	fake_expect(1, GG_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_belongs_to_its_parent),
		cmocka_unit_test(whose_request),
		cmocka_unit_test(depth_is_bounded),
		cmocka_unit_test(a_child_fails),
		cmocka_unit_test(a_parent_fails),
		cmocka_unit_test(cancel_takes_descendants),
		cmocka_unit_test(a_continuation_runs_after_the_children),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
