/* SPDX-License-Identifier: Apache-2.0 */
/* Occupancy: the host and kernels ask how many CGAs of a TMD can run.
 * sources: scheduler tests/unit/fake_run.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga_admit.h"
#include "firmware/cp/task/task.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define NOW  GG_QUERY_WHAT_CLUSTERS_NOW
#define MOST GG_QUERY_WHAT_CLUSTERS_MOST

static struct gg_tmd cga(uint32_t ctas)
{
	struct gg_tmd tmd = fake_with_type(fake_own(fake_tmd(ctas)), GG_TASK_TYPE_GPC_CGA);

	tmd.cluster_xy = ctas | 1u << 16;
	tmd.cluster_z = 1;
	return tmd;
}

static struct gg_completion ask(struct gg_command query, enum gg_status status)
{
	query.header = GG_OPCODE_QUERY;
	query.tag = 77;
	fake_post(1, query);
	fake_settle(10);
	return fake_expect(77, status);
}

static struct gg_command query_of(uint32_t what, uint64_t address, uint32_t generation)
{
	return (struct gg_command){ .address_lo = gg_low(address),
				    .address_hi = gg_high(address),
				    .argument0 = what,
				    .argument1 = generation };
}

static uint64_t count(const struct gg_tmd *tmd, uint32_t what)
{
	const uint64_t address = fake_put_tmd(tmd);
	const uint32_t room = task_pool_free();
	const struct gg_completion done = ask(query_of(what, address, tmd->generation), GG_OK);

	assert_int_equal(task_pool_free(), room); /* nothing of it is kept */
	assert_int_equal(cga_admit_tasks(), 0);
	return gg_join(done.value_lo, done.value_hi);
}

static void refused(const struct gg_tmd *tmd, enum gg_status status, enum gg_field field,
		    uint64_t value)
{
	const uint64_t address = fake_put_tmd(tmd);
	const uint32_t room = task_pool_free();
	const struct gg_completion done = ask(query_of(MOST, address, 0), status);

	assert_int_equal(done.field, field);
	assert_int_equal(gg_join(done.value_lo, done.value_hi), value);
	assert_int_equal(task_pool_free(), room);
}

/* S1-R44: how many CGAs could run now, and how many if nothing else did. */
static void now_and_most(void **state)
{
	struct gg_tmd tmd = cga(5);
	const struct gg_tmd plain = fake_tmd(20);

	(void)state;
	fake_device_init(8);
	tmd.generation = 3;
	assert_int_equal(count(&tmd, NOW), 12); /* 32 / 5 in each GPC */
	assert_int_equal(count(&tmd, MOST), 12);
	fake_run(1, &plain);
	fake_take_all(); /* 3 CTAs on SMs 0 to 3, 2 on the others */
	assert_int_equal(count(&tmd, NOW), 20 / 5 + 24 / 5);
	assert_int_equal(count(&tmd, MOST), 12);
	tmd.gpc_mask = 2; /* S0-R25 */
	assert_int_equal(count(&tmd, NOW), 24 / 5);
	assert_int_equal(count(&tmd, MOST), 32 / 5);
	tmd.gpc_mask = 0;
	tmd.shared_bytes = 16384; /* 4 on an idle SM */
	assert_int_equal(count(&tmd, MOST), 16 / 5 * 2);
	fake_finish();
	fake_expect(1, GG_OK);
	assert_int_equal(count(&tmd, NOW), 16 / 5 * 2);
	device.config->cga_ids = 2;
	assert_int_equal(fake_config(GG_CONFIG_PART_CLUSTER), GG_OK);
	assert_int_equal(count(&tmd, NOW), 4); /* S1-R141: two in each GPC */
}

/* A grid without CGAs: CTAs. */
static void plain_grids(void **state)
{
	struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	fake_device_init(8);
	assert_int_equal(count(&tmd, MOST), 64);
	fake_run(1, &tmd);
	fake_take_all();
	assert_int_equal(count(&tmd, NOW), 63);
	fake_finish();
	fake_expect(1, GG_OK);
	tmd.header |= GG_TMD_THROTTLE;
	refused(&tmd, GG_ERR_UNSUPPORTED, GG_FIELD_TMD_THROTTLE, 1);
	tmd = fake_with_type(fake_tmd(0), GG_TASK_TYPE_GRID_NULL);
	refused(&tmd, GG_ERR_CLUSTER, GG_FIELD_TMD_TYPE, GG_TASK_TYPE_GRID_NULL);
	tmd = fake_queue(8, 2);
	refused(&tmd, GG_ERR_CLUSTER, GG_FIELD_TMD_TYPE, GG_TASK_TYPE_QUEUE);
}

/* S1-Q10: what SUBMIT refuses, a query refuses with the same words. */
static void refusals_as_for_submit(void **state)
{
	struct gg_tmd tmd = cga(33);
	struct gg_completion done;

	(void)state;
	fake_device_init(8);
	refused(&tmd, GG_ERR_CLUSTER, GG_FIELD_TMD_CLUSTER_X, 32);
	fake_run(1, &tmd);
	done = fake_expect(1, GG_ERR_CLUSTER);
	assert_int_equal(done.field, GG_FIELD_TMD_CLUSTER_X);
	assert_int_equal(done.value_lo, 32);
	tmd = cga(5);
	tmd.grid_x = 12;
	refused(&tmd, GG_ERR_CLUSTER, GG_FIELD_TMD_GRID_X, 12);
	tmd = cga(5);
	tmd.generation = 8;
	refused(&tmd, GG_ERR_GENERATION, GG_FIELD_TMD_GENERATION, 8);
	done = ask(query_of(NOW, FAKE_HEAP + 128, 0), GG_ERR_TMD_ALIGN);
	assert_int_equal(done.field, GG_FIELD_COMMAND_ADDRESS);
	done = ask(query_of(NOW, 0, 0), GG_ERR_TMD_RANGE);
	assert_int_equal(done.field, GG_FIELD_COMMAND_ADDRESS);
}

/* Only queries of CGAs have an address and a generation; there are no others. */
static void words_are_checked(void **state)
{
	static const uint32_t plain[] = { GG_QUERY_WHAT_DEVICE, GG_QUERY_WHAT_TASKS,
					  GG_QUERY_WHAT_LOOK };
	struct gg_completion done;

	(void)state;
	fake_device_init(8);
	for (uint32_t number = 0; number < sizeof(plain) / sizeof(plain[0]); number++) {
		const uint32_t what = plain[number];

		(void)ask(query_of(what, 0, 0), GG_OK);
		done = ask(query_of(what, FAKE_HEAP, 0), GG_ERR_FLAGS);
		assert_int_equal(done.field, GG_FIELD_COMMAND_ADDRESS);
		assert_int_equal(done.value_lo, FAKE_HEAP);
		done = ask(query_of(what, 0, 5), GG_ERR_FLAGS);
		assert_int_equal(done.field, GG_FIELD_COMMAND_ARGUMENT1);
		assert_int_equal(done.value_lo, 5);
	}
	done = ask(query_of(5, FAKE_HEAP, 0), GG_ERR_ARGUMENT);
	assert_int_equal(done.field, GG_FIELD_COMMAND_ARGUMENT0);
	assert_int_equal(done.value_lo, 5);
}

static struct gg_answer asks(const struct gg_tmd *tmd, uint32_t idle)
{
	const struct gg_request request = { .kind = GG_REQUEST_KIND_OCCUPANCY,
					    .address_lo = gg_low(fake_put_tmd(tmd)),
					    .argument = 0,
					    .count = idle };

	return fake_request(0, request);
}

static void answers_error(struct gg_answer answer, enum gg_status status, enum gg_field field)
{
	assert_int_equal((int32_t)answer.answer_status, status);
	assert_int_equal(answer.answer_field, field);
}

/* S1-R44, S0-R07: a kernel asks about TMDs that it could launch, and about no others. */
static void kernels_ask(void **state)
{
	const struct gg_tmd parent = fake_own(fake_tmd(7));
	struct gg_tmd tmd = cga(5);

	(void)state;
	fake_device_init(8);
	fake_run(1, &parent);
	fake_take_all(); /* one on each SM but the last */

	const uint32_t room = task_pool_free();

	assert_int_equal(asks(&tmd, 0).answer_status, 28 / 5 + 29 / 5);
	assert_int_equal(asks(&tmd, 1).answer_status, 12);
	assert_int_equal(asks(&tmd, 1).answer_field, 0);
	answers_error(asks(&tmd, 2), GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT2);
	tmd.context = 8;
	answers_error(asks(&tmd, 0), GG_ERR_CONTEXT, GG_FIELD_TMD_CONTEXT);
	tmd = cga(5);
	tmd.heap_lo += 4096;
	tmd.heap_bytes_lo -= 4096;
	answers_error(asks(&tmd, 0), GG_ERR_CONTEXT, GG_FIELD_TMD_HEAP);
	tmd = cga(33);
	answers_error(asks(&tmd, 1), GG_ERR_CLUSTER, GG_FIELD_TMD_CLUSTER_X);
	assert_int_equal(task_pool_free(), room);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* A kernel's query needs a place of the pool for a moment; without one it is refused. */
static void no_place(void **state)
{
	const struct gg_tmd parent = fake_own(fake_tmd(1));
	const struct gg_tmd tmd = cga(5);
	uint32_t taken = 0;
	static struct task *places[FAKE_TASKS];

	(void)state;
	fake_device_init(8);
	fake_run(1, &parent);
	fake_take_all();
	while (task_pool_free() > 0) {
		places[taken++] = task_take_place();
	}
	answers_error(asks(&tmd, 1), GG_ERR_NO_MEMORY, 0);
	while (taken > 0) {
		task_give_place(places[--taken]);
	}
	assert_int_equal(asks(&tmd, 1).answer_status, 12);
	fake_finish();
	fake_expect(1, GG_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(now_and_most),
		cmocka_unit_test(plain_grids),
		cmocka_unit_test(refusals_as_for_submit),
		cmocka_unit_test(words_are_checked),
		cmocka_unit_test(kernels_ask),
		cmocka_unit_test(no_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
