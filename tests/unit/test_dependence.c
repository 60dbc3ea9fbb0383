/* SPDX-License-Identifier: Apache-2.0 */
/* Dependences between tasks, and tasks without CTAs: they act on tasks as grids do in S0-R11.
 * sources: room:finish device */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/task/dependence.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define DECREMENT     GG_DEPENDENCE_ACTION_DECREMENT
#define SCHEDULE      GG_DEPENDENCE_ACTION_SCHEDULE
#define INCREMENT_PUT GG_DEPENDENCE_ACTION_INCREMENT_PUT

static struct gg_tmd waiting_for(uint32_t count)
{
	struct gg_tmd tmd = fake_tmd(1);

	tmd.dependence_count = count;
	return tmd;
}

static struct gg_tmd with_dependent(struct gg_tmd tmd, struct gg_dependent entry)
{
	fake_set_dependents(&tmd, &entry, 1);
	return tmd;
}

static struct gg_tmd after(uint64_t address)
{
	struct gg_tmd tmd = fake_tmd(1);

	fake_set_after(&tmd, &address, 1);
	return tmd;
}

/* S0-R08, S0-R15: 64 tasks lower one counter (fan-in); the one that waits runs after the last. */
static void fan_in(void **state)
{
	(void)state;
	fake_device_init(8);

	const struct gg_tmd last = waiting_for(64);
	const uint64_t address = fake_run(100, &last);
	const struct gg_tmd one = with_dependent(fake_tmd(1), fake_edge(address, DECREMENT, 0));

	for (uint32_t tag = 0; tag < 64; tag++) {
		fake_run(tag, &one);
	}
	for (uint32_t count = 64; count > 0; count--) {
		assert_int_equal(fake_take_all(), count < CP_SLOTS ? count : CP_SLOTS);
		assert_int_equal(fake_count(100), 0);
		fake_end((uint32_t)rand() % fake_cta_count, GG_OK);
		fake_settle(10);
	}
	fake_take_all();
	assert_int_equal(fake_count(100), 1);
	fake_end_all();
	assert_int_equal(device.perf->tasks_completed, 65);
}

/* S0-R15: one task, by its list and by their lists `after`, holds 128 others (fan-out). */
static void fan_out(void **state)
{
	struct gg_dependent list[64];

	(void)state;
	fake_device_init(32);
	for (uint32_t tag = 0; tag < 64; tag++) {
		const struct gg_tmd tmd = waiting_for(1);

		list[tag] = fake_edge(fake_run(tag, &tmd), DECREMENT, 0);
	}
	struct gg_tmd first = fake_tmd(1);

	fake_set_dependents(&first, list, 64);
	const uint64_t address = fake_run(100, &first);
	const struct gg_tmd later = after(address);

	for (uint32_t tag = 200; tag < 264; tag++) {
		fake_run(tag, &later);
	}
	assert_int_equal(fake_take_all(), 1);
	fake_end_all();
	while (fake_take_all() < 128 && fake_cta_count > 0) { /* by and by: the table is smaller */
		fake_end_all();
	}
	assert_int_equal(device.perf->tasks_completed, 129);
}

/* S0-R05: INCREMENT_PUT tells a queue task of items; too many fail it, no other task does it. */
static void increment_put(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_queue(8, 2);
	const struct gg_tmd grid = fake_tmd(1);
	const uint64_t queue = fake_run(1, &tmd);
	struct gg_tmd producer = with_dependent(fake_tmd(1), fake_edge(queue, INCREMENT_PUT, 5));

	fake_run(2, &producer);
	assert_int_equal(fake_take_all(), 1);
	fake_end_all();
	fake_expect(2, GG_OK);
	assert_int_equal(fake_take_all(), 2); /* places of four items, the fifth waits */
	producer = with_dependent(fake_tmd(1), fake_edge(fake_run(3, &grid), INCREMENT_PUT, 1));
	fake_run(4, &producer);
	fake_expect(4, GG_ERR_DEPENDENT);
	producer = with_dependent(fake_tmd(1), fake_edge(queue, INCREMENT_PUT, 9));
	fake_finish();
	fake_expect(3, GG_OK);
	fake_run(5, &producer);
	fake_finish();
	fake_expect(5, GG_OK);
	assert_int_equal(fake_expect(1, GG_ERR_QUEUE_FULL).field, GG_FIELD_DEPENDENT_AMOUNT);
}

/* S0-R07: SCHEDULE takes a TMD when the task has ended; the task is over when that is. */
static void schedule(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd next = fake_tmd(3);
	const uint64_t address = fake_put_tmd(&next);
	const struct gg_tmd first = with_dependent(fake_tmd(2), fake_edge(address, SCHEDULE, 0));

	fake_run(1, &first);
	assert_int_equal(fake_take_all(), 2);
	fake_end_all();
	fake_expect_none();
	assert_int_equal(fake_take_all(), 3);
	fake_end_all();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 2);
	fake_expect_none();
}

/* S0-R15: a task that failed fails those that wait for it, with its tag, over a chain of 1,000;
 * none of them runs, and all is done without a call inside a call. */
static void failure_runs_down_a_chain(void **state)
{
	struct gg_completion done;

	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_tmd(1);
	uint64_t address = fake_run(0, &tmd);

	for (uint32_t tag = 1; tag <= 1000; tag++) {
		const struct gg_tmd next = after(address);

		address = fake_run(tag, &next);
	}
	assert_int_equal(fake_take_all(), 1);
	fake_end_tag(0, GG_ERR_FAULT_ACCESS);
	fake_expect(0, GG_ERR_FAULT_ACCESS);
	for (uint32_t tag = 1; tag <= 1000; tag++) {
		while (!fake_completion(&done)) {
			device.post->rung++;
			fake_settle(1000);
		}
		assert_int_equal(done.tag, tag);
		assert_int_equal((int32_t)done.status, GG_ERR_DEPENDENCY);
		assert_int_equal(done.value_lo, tag - 1);
		assert_int_equal(done.packets, 0);
	}
}

/* S0-R15: `after` a task that has ended well does not wait; after one that failed lately, fails. */
static void after_what_is_over(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_tmd(1);
	uint64_t address = fake_run(1, &tmd);

	fake_finish();
	fake_expect(1, GG_OK);
	struct gg_tmd next = after(address);

	fake_run(2, &next);
	assert_int_equal(fake_take_all(), 1);
	fake_end_all();
	fake_expect(2, GG_OK);
	address = fake_run(3, &tmd);
	fake_take_all();
	fake_end_tag(3, GG_ERR_ABORTED);
	fake_expect(3, GG_ERR_ABORTED);
	next = after(address);
	fake_run(4, &next);
	assert_int_equal(fake_expect(4, GG_ERR_DEPENDENCY).value_lo, 3);
	next.generation = 1; /* another use of that TMD has not failed */
	((struct gg_dependent *)fake_at(next.after_lo))->tmd_generation = 1;
	fake_run(5, &next);
	fake_finish();
	fake_expect(5, GG_OK);
}

/* S0-R15: failures of before a reset of the device are forgotten: whoever has the address of such a task then has not
 * failed. */
static void failures_of_before(void **state)
{
	const enum gg_status status[] = { GG_ERR_ABORTED, GG_OK };
	const struct gg_tmd tmd = fake_tmd(1);
	uint64_t addresses[64];

	(void)state;
	for (uint32_t round = 0; round < 2; round++) {
		fake_device_init(1);
		for (uint32_t task = 0; task < 64; task++) {
			const uint64_t address = fake_run(task, &tmd);

			assert_true(round == 0 || address == addresses[task]);
			addresses[task] = address;
			assert_int_equal(fake_take_all(), 1);
			fake_end_tag(task, status[round]);
			fake_expect(task, status[round]);
		}
	}
	for (uint32_t task = 0; task < 64; task++) {
		const struct gg_tmd next = after(addresses[task]);

		fake_run(100, &next);
		assert_int_equal(fake_take_all(), 1);
		fake_end_all();
		fake_expect(100, GG_OK);
	}
}

/* S0-R15: tasks that were cancelled while they wait are over once, whatever ends then. */
static void cancelled_while_they_wait(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_tmd(1);
	const uint64_t first = fake_run(1, &tmd);
	const struct gg_tmd next = after(first);
	const uint64_t second = fake_run(2, &next);

	assert_int_equal(fake_take_all(), 1);
	fake_post(1, (struct gg_command){
			     .header = GG_OPCODE_CANCEL, .tag = 9, .address_lo = gg_low(second) });
	fake_end(0, GG_OK); /* in the same turn */
	fake_settle(10);
	fake_expect(9, GG_OK);
	fake_expect(2, GG_ERR_CANCELLED);
	fake_expect(1, GG_OK);
	fake_expect_none();
	assert_int_equal(device.perf->tasks_completed, 2);
}

/* S0-R11: a task without CTAs ends when those before it have; a counter too large is refused. */
static void tasks_without_ctas(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_tmd(1);
	struct gg_tmd null = fake_with_type(after(fake_run(1, &tmd)), GG_TASK_TYPE_GRID_NULL);

	null.grid_x = 0;
	null.block_xy = 0;
	null.code_bytes = 0;
	fake_run(2, &null);
	fake_expect_none();
	fake_finish();
	fake_expect(1, GG_OK);
	assert_int_equal(fake_expect(2, GG_OK).ctas_lo, 0);
	null = after(fake_run(3, &tmd));
	null.dependence_count = 0xffffffffu; /* with `after`: one more than a word holds */
	fake_run(4, &null);
	fake_take_all();
	assert_int_equal(fake_count(4), 0);
}

/* The same when others have waited for it while it ran. */
static void after_what_others_waited_for(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);
	struct gg_tmd next;

	(void)state;
	fake_device_init(1);
	next = after(fake_run(1, &tmd));
	fake_run(2, &next);
	assert_int_equal(fake_take_all(), 1);
	fake_end_tag(1, GG_OK);
	fake_expect(1, GG_OK);
	fake_run(3, &next);
	assert_int_equal(fake_take_all(), 2);
	fake_end_tag(2, GG_OK);
	fake_expect(2, GG_OK);
	fake_end_tag(3, GG_OK);
	fake_expect(3, GG_OK);
}

/* All edges of the pool can be used at once, each comes back as it was, the oldest first, and can be used again: those of tasks
 * that wait, and those that take a TMD. */
static void every_edge(void **state)
{
	static struct edge memory[2 * DEPENDENCE_LIST];
	struct task source = { 0 }, target = { .serial = 5 };
	struct edge **const edges = &source.depend.edges,
			    **const schedules = &source.depend.schedules;

	(void)state;
	fake_device_init(1);
	dependence_init(memory, 2 * DEPENDENCE_LIST);
	for (uint32_t round = 0; round < 4; round++) {
		struct task_name name = { 0 };
		const bool schedule = round / 2 != 0;

		for (uint32_t count = 0; count < 2 * DEPENDENCE_LIST; count++) {
			assert_int_equal(dependence_has_room(), count == 0);
			struct edge *before = schedule ? *schedules : *edges;

			if (count % 3 == 0) { /* one that is taken back */
				dependence_add(schedule ? schedules : edges)->serial = UINT32_MAX;
				dependence_undo(schedule ? schedules : edges, before);
			}
			struct edge *edge = dependence_add(schedule ? schedules : edges);

			edge->serial = count;
			if (schedule) {
				edge->tmd = count;
			} else {
				edge->target = &target;
			}
		}
		for (uint32_t count = 0; count < 2 * DEPENDENCE_LIST; count++) {
			if (schedule) {
				assert_true(dependence_next_schedule(&source, &name));
				assert_int_equal(name.address, device.memory_base + count);
				assert_int_equal(name.generation, count);
			} else {
				assert_ptr_equal(dependence_oldest(*edges)->target, &target);
				assert_int_equal(dependence_oldest(*edges)->serial, count);
				dependence_drop(edges);
			}
		}
		assert_false(dependence_next_schedule(&source, &name));
		assert_null(dependence_oldest(*edges));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_edge),
		cmocka_unit_test(after_what_others_waited_for),
		cmocka_unit_test(fan_in),
		cmocka_unit_test(fan_out),
		cmocka_unit_test(increment_put),
		cmocka_unit_test(schedule),
		cmocka_unit_test(failure_runs_down_a_chain),
		cmocka_unit_test(after_what_is_over),
		cmocka_unit_test(failures_of_before),
		cmocka_unit_test(cancelled_while_they_wait),
		cmocka_unit_test(tasks_without_ctas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
