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

static struct gg_answer try_of(uint32_t index, const struct gg_tmd *tmd)
{
	const uint64_t address = fake_put_tmd(tmd);
	const struct gg_request request = { .kind = GG_REQUEST_KIND_LAUNCH,
					    .address_lo = gg_low(address) };

	return fake_request(index, request);
}

static struct gg_answer try(const struct gg_tmd *tmd)
{
	return try_of(0, tmd);
}

static void refused(struct gg_tmd tmd, enum gg_field field)
{
	const struct gg_answer answer = try(&tmd);

	assert_int_equal((int32_t)answer.answer_status, GG_ERR_CONTEXT);
	assert_int_equal(answer.answer_field, field);
}

/* S0-R07: a child and all that its TMD names lie in its parent's context and heap. */
static void contexts_one_by_one(void **state)
{
	const uint32_t outside = FAKE_HEAP + FAKE_HEAP_SIZE - 4096;
	const struct gg_tmd good = fake_confined(fake_tmd(1));
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

	const struct gg_tmd good = fake_confined(fake_tmd(1));
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
		const struct gg_answer answer = fake_request(0, request);

		assert_int_equal((int32_t)answer.answer_status, GG_ERR_OPCODE);
		assert_int_equal(answer.answer_field, 0);
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

static struct gg_answer print(uint32_t index, uint32_t from, uint32_t count, uint32_t bytes)
{
	return fake_request(index, (struct gg_request){ .kind = GG_REQUEST_KIND_PRINT,
							.source_lo = from,
							.count = count,
							.source_bytes = bytes });
}

/* Launches a child of a CTA; the index of its CTA. */
static uint32_t launch(uint32_t parent, const struct gg_tmd *tmd)
{
	assert_int_equal(try_of(parent, tmd).answer_status, GG_OK);
	fake_take_all();
	return fake_cta_count - 1;
}

/* What cannot be a print, of 8,192 bytes: too long, longer than its memory, not aligned, elsewhere. */
static void refuse_prints(uint32_t text)
{
	static const struct {
		uint32_t from, count, bytes;
	} wrong[] = { { 0, 4100, 8192 }, { 0, 8, 4 }, { 2, 8, 8 }, { 0 - FAKE_HEAP, 8, 8 } };

	for (uint32_t at = 0; at < sizeof(wrong) / sizeof(wrong[0]); at++) {
		const struct gg_answer answer =
			print(0, text + wrong[at].from, wrong[at].count, wrong[at].bytes);

		assert_int_equal((int32_t)answer.answer_status, GG_ERR_ARGUMENT);
		assert_int_equal(answer.answer_field, GG_FIELD_COMMAND_ARGUMENT1);
	}
	assert_int_equal((int32_t)print(0, text, 6, 8).answer_status, GG_ERR_ARGUMENT);
}

/* S0-R07, S3-R121: prints go one behind the other into the buffer of the oldest ancestor, whose first word counts their bytes,
 * until it is full. What does not fit, or cannot be a print, leaves the buffer as it is. */
static void prints(void **state)
{
	enum {
		most = 4096,
		room = 3 * most
	};

	(void)state;
	for (uint32_t cut = 0; cut < 2; cut++) {
		fake_device_init(1);

		const uint32_t buffer = (uint32_t)fake_alloc(room + 8);
		const uint32_t text = (uint32_t)fake_alloc(2 * most);
		uint32_t *words = fake_at(buffer), *source = fake_at(text);
		struct gg_tmd tmd = fake_own(fake_tmd(1));
		const struct gg_tmd child = tmd;
		const enum gg_status full = cut != 0 ? GG_ERR_NO_MEMORY : GG_ERR_PRINT_FLOOD;

		for (uint32_t word = 0; word < 2 * most / 4; word++) {
			source[word] = 1000 + word;
		}
		tmd.print_lo = buffer;
		tmd.print_bytes = room;
		tmd.header |= gg_put(GG_TMD_CUT_PRINTS, cut);
		words[room / 4 + 1] = 77; /* behind the buffer */
		fake_run(1, &tmd);
		fake_take_all();

		const uint32_t grandchild = launch(launch(0, &child), &child);

		assert_int_equal(print(grandchild, text, most, most).answer_status, GG_OK);
		assert_int_equal(words[0], most);
		assert_int_equal(print(0, text + 8, 12, 16).answer_status, GG_OK);
		assert_int_equal(print(0, text, 0, 4).answer_status, GG_OK);
		assert_int_equal(words[0], most + 12);
		assert_memory_equal(&words[1], source, most);
		assert_memory_equal(&words[1 + most / 4], source + 2, 12);
		refuse_prints(text);
		assert_int_equal(print(0, text, most, most).answer_status, GG_OK);
		assert_int_equal((int32_t)print(1, text, most - 8, most).answer_status, full);
		assert_int_equal(words[0], 2 * most + 12);
		assert_int_equal(words[1 + words[0] / 4], 0);
		assert_int_equal(print(1, text, most - 12, most).answer_status, GG_OK);
		assert_int_equal((int32_t)print(1, text, 4, 4).answer_status, full);
		assert_int_equal(words[0], room);
		assert_memory_equal(&words[1 + (2 * most + 12) / 4], source, most - 12);
		assert_int_equal(words[room / 4 + 1], 77);
		fake_finish();
		fake_expect(1, GG_OK);
	}
}

/* S0-R07: all requests that an SM has put are served at once, in their order and each in its place, also when the ring begins
 * anew; those of a task that is not there any more, or has failed, are refused. */
static void several_requests(void **state)
{
	static const struct {
		uint32_t slot, generation;
		enum gg_status status;
	} tasks[] = {
		{ 0, 0, GG_OK },
		{ 0, 1, GG_ERR_CANCELLED },
		{ 1, 0, GG_ERR_CANCELLED },
		{ CP_SLOTS, 0, GG_ERR_CANCELLED },
	};
	const uint32_t rounds = 2 * CP_LAUNCH_ENTRIES;

	(void)state;
	fake_device_init(2);

	const struct gg_tmd tmd = fake_own(fake_tmd(1));
	const uint64_t address = fake_run(1, &tmd);

	fake_take_all();

	const struct fake_cta cta = fake_ctas[0];
	struct launch_rings *rings = &device.launch[cta.sm];

	for (uint32_t round = 0; round < rounds; round++) {
		const uint32_t put = device.sms[cta.sm].request_put;

		for (uint32_t at = 0; at < 4; at++) {
			rings->requests[(put + at) % CP_LAUNCH_ENTRIES] = (struct gg_request){
				.task = gg_put(GG_REQUEST_SLOT, tasks[at].slot) |
					gg_put(GG_REQUEST_GENERATION,
					       gg_get(cta.task, GG_REQUEST_GENERATION) +
						       tasks[at].generation),
				.kind = GG_REQUEST_KIND_PRINT,
				.source_lo = FAKE_HEAP,
				.count = 4,
				.source_bytes = 4,
			};
		}
		device.sms[cta.sm].request_put += 4;
		fake_bell(cta.sm);
		fake_settle(10);
		assert_int_equal(rings->header.request_get, put + 4);
		assert_int_equal(fake_seen[cta.sm].answers, put + 4);
		assert_int_equal(device.perf->requests, put + 4);
		for (uint32_t at = 0; at < 4; at++) {
			const struct gg_answer *answer =
				&rings->answers[(put + at) % CP_LAUNCH_ENTRIES];

			assert_int_equal((int32_t)answer->answer_status, tasks[at].status);
			assert_int_equal(answer->answer_field, 0);
		}
	}
	fake_name(2, GG_OPCODE_CANCEL, address);
	fake_expect(2, GG_OK);
	assert_int_equal((int32_t)print(0, FAKE_HEAP, 4, 4).answer_status, GG_ERR_CANCELLED);
	fake_stop_all();
	fake_expect(1, GG_ERR_CANCELLED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contexts_one_by_one),
		cmocka_unit_test(other_contexts),
		cmocka_unit_test(no_child_after_its_parent),
		cmocka_unit_test(schedule_ends),
		cmocka_unit_test(a_refused_schedule_takes_all),
		cmocka_unit_test(no_room),
		cmocka_unit_test(prints),
		cmocka_unit_test(several_requests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
