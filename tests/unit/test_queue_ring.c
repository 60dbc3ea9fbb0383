/* SPDX-License-Identifier: Apache-2.0 */
/* Queue tasks: the ring, who pushes to it, and its end.
 * sources: room:collect device */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/task/queue.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define CLOSED GG_ERR_QUEUE_CLOSED

static void close_queue(uint64_t queue)
{
	fake_name(900, GG_OPCODE_CLOSE, queue);
	fake_expect(900, GG_OK);
}

/* S0-R05: the ring is full until the CTAs of the oldest items have ended, in order. */
static void places_are_free_in_order(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_queue(8, 2);
	const uint64_t queue = fake_run(1, &tmd);

	assert_int_equal(fake_push(queue, 9), GG_ERR_QUEUE_FULL);
	assert_int_equal(fake_push(queue, 8), GG_OK);
	assert_int_equal(fake_take_all(), 4);
	assert_int_equal(fake_push(queue, 1), GG_ERR_QUEUE_FULL);
	for (uint32_t cta = 3; cta >= 1; cta--) { /* all but the oldest */
		fake_end(cta, GG_OK);
		fake_settle(10);
		assert_int_equal(fake_push(queue, 1), GG_ERR_QUEUE_FULL);
	}
	assert_int_equal(fake_ctas[0].cta, 0);
	fake_end(0, GG_OK);
	fake_settle(10);
	assert_int_equal(fake_push(queue, 9), GG_ERR_QUEUE_FULL);
	assert_int_equal(fake_push(queue, 8), GG_OK);
}

/* S0-R05: items are copied into the ring, round its end; many more than it holds go through it. */
static void many_items_go_through_a_small_ring(void **state)
{
	uint32_t pushed = 0;
	uint32_t seen = 0;

	(void)state;
	fake_device_init(2);

	const struct gg_tmd tmd = fake_queue(7, 3);
	const uint64_t queue = fake_run(1, &tmd);
	const uint64_t source = fake_alloc(64);
	const uint32_t *ring = fake_at(tmd.queue_lo);

	while (seen < 3000) {
		const uint32_t count = (uint32_t)rand() % 5 + 1;

		for (uint32_t item = 0; item < count; item++) {
			((uint32_t *)fake_at(source))[item] = pushed + item;
		}
		fake_post(1, (struct gg_command){ .header = GG_OPCODE_PUSH,
						  .tag = 5,
						  .address_lo = gg_low(queue),
						  .argument1 = gg_low(source),
						  .argument2 = count });
		fake_settle(10);
		struct gg_completion done;

		assert_true(fake_completion(&done));
		pushed += done.status == GG_OK ? count : 0;
		while (fake_take_all() > 0) {
			const struct fake_cta cta = fake_ctas[0];

			for (uint32_t item = 0; item < cta.items; item++) {
				assert_int_equal(ring[(cta.first + item) % 7], cta.first + item);
			}
			seen += cta.items;
			fake_end(0, GG_OK);
			fake_settle(10);
		}
	}
	assert_true(pushed - seen < 3);
}

/* S0-R05: items that are there at submission; a queue that is closed from the start; an empty
 * one. */
static void closed_from_the_start(void **state)
{
	(void)state;
	fake_device_init(1);

	struct gg_tmd tmd = fake_queue(8, 2);

	tmd.header |= GG_TMD_CLOSED;
	fake_run(1, &tmd);
	fake_expect(1, GG_OK);
	tmd.queue_outstanding = 5;
	const uint64_t queue = fake_run(2, &tmd);

	assert_int_equal(fake_take_all(), 3);
	assert_int_equal(fake_push(queue, 1), CLOSED);
	fake_name(3, GG_OPCODE_CLOSE, queue); /* again: no harm */
	fake_expect(3, GG_OK);
	fake_end_all();
	assert_int_equal(fake_expect(2, GG_OK).ctas_lo, 3);
	assert_int_equal(fake_push(queue, 1), GG_ERR_TASK);
}

/* S0-R05: a CTA pushes to its own queue, even to a closed one; others' CTAs only to an open one. */
static void ctas_push(void **state)
{
	struct gg_request push = { .kind = GG_REQUEST_KIND_PUSH, .count = 2 };

	(void)state;
	fake_device_init(1);

	struct gg_tmd tmd = fake_queue(8, 2);
	const struct gg_tmd grid = fake_own(fake_tmd(1));

	tmd.queue_outstanding = 2;
	const uint64_t queue = fake_run(1, &tmd);

	push.address_lo = gg_low(queue);
	fake_run(2, &grid);
	assert_int_equal(fake_take_all(), 2);
	assert_int_equal(fake_request(fake_find(2), push).answer_status, GG_OK);
	close_queue(queue);
	assert_int_equal((int32_t)fake_request(fake_find(2), push).answer_status, CLOSED);
	assert_int_equal(fake_request(fake_find(1), push).answer_status, GG_OK);
	assert_int_equal(fake_take_all(), 4);
	push.count = 9;
	assert_int_equal((int32_t)fake_request(fake_find(1), push).answer_status,
			 GG_ERR_QUEUE_FULL);
	push.kind = GG_REQUEST_KIND_CLOSE;
	assert_int_equal(fake_request(fake_find(2), push).answer_status, GG_OK);
	assert_int_equal(device.perf->requests, 5);
	fake_end_all();
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, 2);
}

/* S0-R05: a kernel's push is read from what the SM says that it may read, and from nothing else. */
static void sources_of_pushes(void **state)
{
	(void)state;
	fake_device_init(1);

	struct gg_tmd tmd = fake_queue(8, 2);

	tmd.queue_outstanding = 2;
	const uint64_t queue = fake_run(1, &tmd);
	const uint64_t source = fake_alloc(64);
	const struct gg_request good = { .kind = GG_REQUEST_KIND_PUSH,
					 .address_lo = gg_low(queue),
					 .count = 2,
					 .source_lo = gg_low(source),
					 .source_bytes = 8 };
	struct gg_request bad[5] = { good, good, good, good, good };

	bad[0].source_bytes = 4;
	bad[1].source_lo += 2;
	bad[2].source_lo = FAKE_HEAP + FAKE_HEAP_SIZE - 4;
	bad[3].source_lo = FAKE_UNITS - 8;
	bad[4].count = 0;
	fake_take_all();
	for (uint32_t index = 0; index < 5; index++) {
		assert_int_equal((int32_t)fake_request(0, bad[index]).answer_status,
				 GG_ERR_ARGUMENT);
	}
	((uint32_t *)fake_at(source))[1] = 77;
	assert_int_equal(fake_request(0, good).answer_status, GG_OK);
	assert_int_equal(((uint32_t *)fake_at(tmd.queue_lo))[3], 77);
	assert_int_equal(fake_take_all(), 2);
}

/* S0-R05: at most QUEUE_WINDOW CTAs lie between the oldest that has not ended and the newest; the rest
 * waits. */
static void the_window_of_ctas(void **state)
{
	(void)state;
	fake_device_init(32); /* 256 CTA slots */

	const struct gg_tmd tmd = fake_queue(256, 1);
	const uint64_t queue = fake_run(1, &tmd);
	uint32_t oldest = 0;

	assert_int_equal(fake_push(queue, 200), GG_OK);
	assert_int_equal(fake_take_all(), QUEUE_WINDOW);
	while (fake_ctas[oldest].cta != 0) {
		oldest++;
	}
	const struct fake_cta first = fake_ctas[oldest];

	fake_ctas[oldest] = fake_ctas[--fake_cta_count];
	fake_end_all();
	assert_int_equal(fake_take_all(), 0);
	fake_ctas[fake_cta_count++] = first;
	fake_end_all();
	assert_int_equal(fake_take_all(), 200 - QUEUE_WINDOW);
	fake_finish();
	assert_int_equal(fake_push(queue, 256), GG_OK);
	close_queue(queue);
	fake_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 456);
}

/* S0-R02, S0-R05: each wrong field of a queue is refused, with the field. */
static void wrong_queues(void **state)
{
	struct gg_tmd bad[9];
	const enum gg_field fields[] = { GG_FIELD_TMD_QUEUE_CAPACITY,
					 GG_FIELD_TMD_QUEUE_CAPACITY,
					 GG_FIELD_TMD_QUEUE_ITEM_BYTES,
					 GG_FIELD_TMD_QUEUE_ITEM_BYTES,
					 GG_FIELD_TMD_QUEUE,
					 GG_FIELD_TMD_QUEUE,
					 GG_FIELD_TMD_QUEUE_ITEMS,
					 GG_FIELD_TMD_QUEUE_MINIMUM,
					 GG_FIELD_TMD_QUEUE_OUTSTANDING };

	(void)state;
	fake_device_init(1);
	for (uint32_t index = 0; index < 9; index++) {
		bad[index] = fake_queue(8, 2);
	}
	bad[0].queue_capacity = 0;
	bad[1].queue_capacity = 0x80000000u;
	bad[2].queue_item_bytes = 0;
	bad[3].queue_item_bytes = 6;
	bad[4].queue_lo += 2;
	bad[5].queue_item_bytes = 0x40000000u; /* more than the whole heap */
	bad[6].queue_items = 9;
	bad[7].queue_items |= gg_put(GG_TMD_QUEUE_MINIMUM, 3);
	bad[8].queue_outstanding = 9;
	for (uint32_t index = 0; index < 9; index++) {
		fake_run(index, &bad[index]);
		assert_int_equal(fake_expect(index, GG_ERR_QUEUE).field, fields[index]);
	}
	bad[0] = fake_tmd(1);
	bad[0].queue_lo = 64; /* no queue task */
	fake_run(9, &bad[0]);
	fake_expect(9, GG_ERR_QUEUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_free_in_order),
		cmocka_unit_test(many_items_go_through_a_small_ring),
		cmocka_unit_test(closed_from_the_start),
		cmocka_unit_test(ctas_push),
		cmocka_unit_test(sources_of_pushes),
		cmocka_unit_test(the_window_of_ctas),
		cmocka_unit_test(wrong_queues),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
