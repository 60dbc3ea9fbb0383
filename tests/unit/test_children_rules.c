/* SPDX-License-Identifier: Apache-2.0 */
/* What children may not do: contexts, depth of SCHEDULE, room, dependences on their parents.
 * sources: room:collect room:finish device */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/task/task.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

static struct gg_answer try(const struct gg_tmd *tmd)
{
	const uint64_t address = fake_put_tmd(tmd);
	const struct gg_request request = { .kind = GG_REQUEST_KIND_LAUNCH,
					    .address_lo = gg_low(address) };

	return fake_request(0, request);
}

static void refused(struct gg_tmd tmd, enum gg_field field)
{
	const struct gg_answer answer = try(&tmd);

	assert_int_equal((int32_t)answer.answer_status, GG_ERR_CONTEXT);
	assert_int_equal(answer.answer_field, field);
}

/* The parent's heap: TMDs and all that fake_alloc() gave out so far, but not the code's page. */
static struct gg_tmd confined(struct gg_tmd tmd)
{
	tmd = fake_own(tmd);
	tmd.heap_lo = FAKE_HEAP + 4096;
	tmd.heap_bytes_lo = FAKE_HEAP_SIZE - 8192;
	tmd.code_lo = FAKE_HEAP + 0x80000;
	tmd.entry_lo = tmd.code_lo;
	return tmd;
}

/* S0-R07: a child and all that its TMD names lie in its parent's context and heap. */
static void contexts_one_by_one(void **state)
{
	const uint32_t outside = FAKE_HEAP + FAKE_HEAP_SIZE - 4096;
	const struct gg_tmd good = confined(fake_tmd(1));
	struct gg_tmd tmd = good;

	(void)state;
	fake_device_init(1);
	fake_run(1, &good);
	fake_take_all();
	assert_int_equal(try(&good).answer_status, GG_OK);
	tmd.context = 8;
	refused(tmd, GG_FIELD_TMD_CONTEXT);
	tmd = good;
	tmd.heap_lo += 4096;
	tmd.heap_bytes_lo -= 4096;
	refused(tmd, GG_FIELD_TMD_HEAP);
	tmd = good;
	tmd.heap_bytes_lo += 4096;
	refused(tmd, GG_FIELD_TMD_HEAP);
	tmd = good;
	tmd.code_lo = outside;
	tmd.entry_lo = outside;
	refused(tmd, GG_FIELD_TMD_CODE);
	tmd = good;
	tmd.args_lo = outside;
	tmd.args_bytes = 16;
	refused(tmd, GG_FIELD_TMD_ARGS);
	tmd.args_lo = outside - 16;
	tmd.args_bytes = 17; /* one byte too many */
	refused(tmd, GG_FIELD_TMD_ARGS);
	tmd = good;
	tmd.affinity_lo = outside;
	refused(tmd, GG_FIELD_TMD_AFFINITY);
	tmd = good;
	tmd.dependents_lo = outside;
	tmd.dependent_count = 1;
	refused(tmd, GG_FIELD_TMD_DEPENDENTS);
	tmd = good;
	tmd.after_lo = outside;
	tmd.after_count = 1;
	refused(tmd, GG_FIELD_TMD_AFTER);
	tmd = good;
	tmd.semaphore0_lo = outside;
	tmd.semaphore0_op = GG_SEMAPHORE_OP_ADD;
	refused(tmd, GG_FIELD_TMD_SEMAPHORE0);
	tmd = good;
	tmd.semaphore1_lo = outside;
	tmd.semaphore1_op = GG_SEMAPHORE_OP_ADD;
	refused(tmd, GG_FIELD_TMD_SEMAPHORE1);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* S0-R07: the TMD itself and a ring outside the heap; queues and tasks of other contexts. */
static void other_contexts(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd good = confined(fake_tmd(1));
	struct gg_tmd foreign = fake_queue(8, 2);
	struct gg_tmd tmd = fake_queue(8, 2);
	struct gg_request request = { .kind = GG_REQUEST_KIND_LAUNCH, .address_lo = FAKE_HEAP };

	fake_run(1, &good);
	memcpy(fake_at(FAKE_HEAP), &good, sizeof(good)); /* before the parent's heap */
	fake_take_all();
	assert_int_equal((int32_t)fake_request(0, request).answer_status, GG_ERR_CONTEXT);
	tmd.heap_lo = good.heap_lo;
	tmd.code_lo = good.code_lo;
	tmd.entry_lo = good.entry_lo;
	tmd.heap_bytes_lo = good.heap_bytes_lo;
	tmd.queue_lo = FAKE_HEAP + FAKE_HEAP_SIZE - 4096;
	assert_int_equal(try(&tmd).answer_field, GG_FIELD_TMD_QUEUE);
	foreign.context = 8;
	const uint64_t other = fake_run(2, &foreign);

	request.kind = GG_REQUEST_KIND_PUSH;
	request.address_lo = gg_low(other);
	request.count = 1;
	assert_int_equal((int32_t)fake_request(0, request).answer_status, GG_ERR_CONTEXT);
	request.kind = GG_REQUEST_KIND_CLOSE;
	assert_int_equal((int32_t)fake_request(0, request).answer_status, GG_ERR_CONTEXT);
	for (request.kind = GG_REQUEST_KIND_OCCUPANCY + 1; request.kind < 77; request.kind++) {
		assert_int_equal((int32_t)fake_request(0, request).answer_status, GG_ERR_OPCODE);
	}
	tmd = good;
	fake_set_after(&tmd, &other, 1);
	assert_int_equal((int32_t)try(&tmd).answer_status, GG_ERR_DEPENDENT);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* S0-R07, S0-R15: a child cannot wait for its own parent, which waits for it. */
static void no_child_after_its_parent(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_own(fake_tmd(1));
	struct gg_tmd child = fake_own(fake_tmd(1));
	const uint64_t parent = fake_run(1, &tmd);

	fake_set_after(&child, &parent, 1);
	fake_take_all();
	assert_int_equal((int32_t)try(&child).answer_status, GG_ERR_DEPENDENT);
	const uint64_t sibling = fake_put_own(fake_tmd(1));

	assert_int_equal(fake_launch(0, sibling), GG_OK);
	fake_set_after(&child, &sibling, 1);
	assert_int_equal(try(&child).answer_status, GG_OK);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* S0-R07: a SCHEDULE that leads back to its own TMD ends, at the depth of children. */
static void schedule_ends(void **state)
{
	(void)state;
	fake_device_init(1);

	struct gg_tmd tmd = fake_tmd(1);
	const uint64_t address = fake_put_tmd(&tmd);
	const struct gg_dependent entry = fake_edge(address, GG_DEPENDENCE_ACTION_SCHEDULE, 0);
	uint32_t ctas = 0;

	fake_set_dependents(&tmd, &entry, 1);
	memcpy(fake_at(address), &tmd, sizeof(tmd));
	fake_submit_at(0, 1, address);
	while (fake_take_all() > 0) {
		ctas++;
		fake_end_all();
	}
	assert_int_equal(ctas, 33); /* the host's task and 32 generations */
	fake_expect(1, GG_ERR_DEPTH);
	fake_expect_none();
}

/* S0-R07: when one of the TMDs that follow is refused, all that followed already is cancelled with
 * the task, and what would have followed that does not come any more. */
static void a_refused_schedule_takes_all(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd queue = fake_queue(8, 2); /* open: would stay forever */
	struct gg_tmd null = fake_with_type(fake_tmd(1), GG_TASK_TYPE_GRID_NULL);
	struct gg_tmd tmd = fake_tmd(1);
	struct gg_dependent entries[2] = { fake_edge(fake_put_tmd(&queue),
						     GG_DEPENDENCE_ACTION_SCHEDULE, 0) };

	fake_set_dependents(&null, entries, 1);
	entries[0] = fake_edge(fake_put_tmd(&null), GG_DEPENDENCE_ACTION_SCHEDULE, 0);
	entries[1] = fake_edge(fake_alloc(256), GG_DEPENDENCE_ACTION_SCHEDULE, 0); /* no TMD */
	fake_set_dependents(&tmd, entries, 2);
	fake_run(1, &tmd);
	fake_finish();
	fake_expect(1, GG_ERR_TMD_VERSION);
	assert_int_equal(task_pool_free(), task_pool_capacity());
}

/* S0-R07: with the pool full a launch is refused at once and leaves no trace; there is room again
 * when others have ended. */
static void no_room(void **state)
{
	uint32_t launched = 0;
	enum gg_status status = GG_OK;

	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_own(fake_tmd(1));
	struct gg_tmd held = fake_own(fake_tmd(1));
	struct gg_tmd queue = fake_queue(8, 2);
	const uint64_t child = fake_put_own(fake_tmd(1));

	held.dependence_count = 1;
	const uint64_t target = fake_put_tmd(&held);
	const struct gg_dependent entry = fake_edge(target, GG_DEPENDENCE_ACTION_DECREMENT, 0);

	fake_set_dependents(&queue, &entry, 1);
	fake_run(1, &tmd);
	fake_take_all();
	assert_int_equal(fake_launch(0, target), GG_OK);
	while (task_pool_free() > 1) {
		assert_int_equal(fake_launch(0, child), GG_OK);
	}
	queue.header |= GG_TMD_CLOSED;
	assert_int_equal((int32_t)try(&queue).answer_status, GG_ERR_NO_MEMORY);
	for (; status == GG_OK; launched++) {
		status = fake_launch(0, child);
	}
	assert_int_equal(status, GG_ERR_NO_MEMORY);
	assert_int_equal(launched, 2);
	fake_take_all();
	while (fake_cta_count > 1) {
		fake_end(1, GG_OK);
		fake_settle(10);
	}
	assert_int_equal(try(&queue).answer_status, GG_OK); /* the target can still be named */
	fake_finish();
	fake_expect(1, GG_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contexts_one_by_one),          cmocka_unit_test(other_contexts),
		cmocka_unit_test(no_child_after_its_parent),    cmocka_unit_test(schedule_ends),
		cmocka_unit_test(a_refused_schedule_takes_all), cmocka_unit_test(no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
