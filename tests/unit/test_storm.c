/* SPDX-License-Identifier: Apache-2.0 */
/* Everything at once, at random: every command is answered once, nothing is left behind, no task is forgotten.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_storm.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/task/name_table.h"
#include "firmware/cp/task/task.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"
#include "tests/unit/fake_storm.h"

/* S0-R05, S0-R06, S0-R07, S0-R08, S0-R10, S0-R12, S0-R13, S0-R15, S0-R21, S0-R35: all kinds of
 * tasks and commands, failures and requests at random: exactly one answer to each command, and
 * every place, slot and unit is free afterwards. */
static void all_is_answered_and_given_back(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 6; round++) {
		storm_begin(8, round % 2 * 150);
		storm_run(3600);
		storm_read_all();
		storm_cancel_all();
		storm_expect_nothing_left();
		print_message("%u of %u tasks failed, %u evictions, %u requests\n",
			      device.perf->tasks_failed, device.perf->tasks_completed,
			      device.perf->evictions, device.perf->requests);
	}
}

static void post_name(enum gg_opcode opcode, const struct task *task)
{
	storm_post(7, (struct gg_command){ .header = opcode,
					   .address_lo = gg_low(task->source.address),
					   .argument0 = task->tmd.generation });
}

/* Tasks are resumed and queues are closed, and all that can run runs. */
static void help(void)
{
	for (uint32_t number = 0; number < task_pool_touched(); number++) {
		const struct task *task = task_pool_place(number);

		if (task->serial != 0 && task->source.address != 0) {
			post_name(GG_OPCODE_RESUME, task);
			post_name(GG_OPCODE_CLOSE, task);
			storm_take();
		}
	}
	fake_finish();
	fake_hal.now += 1000;
	storm_take();
}

static uint32_t count_tasks(void)
{
	uint32_t count = 0;

	for (uint32_t number = 0; number < task_pool_touched(); number++) {
		count += task_pool_place(number)->serial != 0;
	}
	return count;
}

/* What is left waits for somebody; or it cannot be named, since a newer task has its name. */
static void expect_waiting(const struct task *task)
{
	const bool waits = task->life.state == TASK_HELD ||
			   (task->life.state == TASK_WAITING && task->family.child != NULL);

	if (task->serial != 0 && !waits) {
		assert_int_equal(task->life.state, TASK_PARKED);
		assert_ptr_not_equal(name_table_find((struct task_name){ task->source.address,
									 task->tmd.generation }),
				     task);
	}
}

/* S0-R11, S0-R15: with all tasks resumed and all queues closed, everything ends by itself, but for
 * what waits for tasks that were never submitted: no task is forgotten in a list or starves. */
static void all_that_can_end_ends(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 6; round++) {
		uint32_t passes = 0;

		storm_begin(8, round % 2 * 150);
		storm_run(2000);
		storm_read_all();
		for (uint32_t left = 0; passes < 4; passes++) { /* without a change */
			passes = count_tasks() != left ? 0 : passes;
			left = count_tasks();
			help();
		}
		for (uint32_t number = 0; number < task_pool_touched(); number++) {
			expect_waiting(task_pool_place(number));
		}
		print_message("%u of %u tasks are left\n", count_tasks(),
			      device.perf->tasks_accepted);
		storm_cancel_all();
		storm_expect_nothing_left();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_answered_and_given_back),
		cmocka_unit_test(all_that_can_end_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
