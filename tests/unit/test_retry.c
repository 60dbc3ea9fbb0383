/* SPDX-License-Identifier: Apache-2.0 */
/* CTAs of lost SMs that run again: `retry_limit`.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_loss.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/task/name_table.h"
#include "firmware/cp/task/quarantine.h"
#include "firmware/cp/task/queue.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/task/retry.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/wave/wave.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_loss.h"
#include "tests/unit/fake_run.h"

#define SMS  8u
#define MOST 600u
#define TAGS 4000u

static uint8_t ends[TAGS][MOST]; /* by tag and CTA: how often it has ended well */

static void begin(bool waves)
{
	fake_device_init(SMS);
	device.cap->features = waves ? 1u << GG_FEATURE_ATOMICS : 0;
	memset(ends, 0, sizeof(ends));
}

static struct gg_tmd grid(uint32_t ctas, uint32_t limit)
{
	struct gg_tmd tmd = fake_tmd(ctas);

	tmd.retry_limit = limit;
	return tmd;
}

/* A CTA ends well, and is counted; of a queue task each of its items. */
static void end(uint32_t index)
{
	const struct fake_cta *cta = &fake_ctas[index];
	uint8_t *counts = ends[fake_tag(index)];

	for (uint32_t item = 0; item < cta->items; item++) {
		counts[(cta->first + item) % MOST]++;
	}
	if (cta->items == 0) {
		counts[cta->cta]++;
	}
	fake_end(index, GG_OK);
}

static void end_all(void)
{
	while (fake_take_all() != 0) {
		while (fake_cta_count != 0) {
			end(fake_cta_count - 1);
		}
		fake_settle(1000);
	}
}

static void each_ended_once(uint32_t tag, uint32_t ctas)
{
	for (uint32_t cta = 0; cta < ctas; cta++) {
		assert_int_equal(ends[tag][cta], 1);
	}
}

static void expect_well(uint32_t tag, uint32_t ctas, uint32_t retried)
{
	fake_expect_retried(tag, ctas, retried);
	each_ended_once(tag, ctas);
}

static void expect_lost(uint32_t tag, uint32_t field, uint64_t value)
{
	fake_expect_error(tag, GG_ERR_SM_LOST, field, value);
}

/* The CTA with this number runs on that SM, or UINT32_MAX. */
static uint32_t sm_of(uint32_t tag, uint64_t cta)
{
	for (uint32_t index = 0; index < fake_cta_count; index++) {
		if (fake_tag(index) == tag && fake_ctas[index].cta == cta) {
			return fake_ctas[index].sm;
		}
	}
	return UINT32_MAX;
}

/* All that the SM had runs elsewhere, as packets and as waves, closed or opened; all other CTAs run once. The loss counts as a
 * report. */
static void runs_again(void **state)
{
	const struct gg_tmd tmd = grid(40, 1);

	(void)state;
	for (uint32_t way = 0; way < 3; way++) {
		begin(way != 0);
		fake_run(1, &tmd);
		fake_take_all();
		assert_int_equal(wave_slots, way != 0 ? 1 : 0);
		assert_int_equal(fake_on_sm(5), 5);
		if (way == 2) {
			for (uint32_t index = fake_cta_count; index-- > 0;) {
				if (fake_ctas[index].sm < 3) { /* these have counted themselves */
					end(index);
				}
			}
		}

		const uint32_t before = device.perf->reports;

		fake_lose(5);
		if (way == 0) {
			assert_int_equal(device.perf->reports, before + 1);
		}
		fake_look();
		fake_settle(100);
		end_all();
		expect_well(1, 40, 5);
		fake_loss_at_rest();
	}
}

/* A wave in which an SM has counted itself before it is reset: nothing of it is lost. */
static void ended_before(void **state)
{
	const struct gg_tmd tmd = grid(SMS, 1);

	(void)state;
	begin(true);
	fake_run(1, &tmd);
	fake_take_all();
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		if (fake_ctas[index].sm == 2) {
			end(index);
		}
	}
	fake_ask_for_reset(2);
	fake_look();
	fake_settle(100);
	fake_lose(2);
	fake_sm_start(2);
	fake_settle(100);
	fake_expect(FAKE_RESET, GG_OK);
	end_all();
	expect_well(1, SMS, 0);
	fake_loss_at_rest();
}

/* In the middle of a grid of many rounds, whose CTAs on the SM are not neighbours; also one after the other. */
static void in_the_middle(void **state)
{
	struct gg_tmd tmd = grid(500, 3);

	(void)state;
	for (uint32_t robin = 0; robin < 2; robin++) {
		uint32_t lost = 0, step = 0;

		begin(false);
		tmd = fake_with_mode(tmd, robin != 0 ? GG_TASK_MODE_ROUND_ROBIN
						     : GG_TASK_MODE_LOAD_BALANCING);
		fake_run(1, &tmd);
		while (fake_take_all() != 0) {
			end(step * 7 % fake_cta_count);
			fake_settle(100);
			if (step++ % 100 == 50) {
				fake_take_all();
				lost += fake_on_sm(step / 100);
				fake_revive(step / 100);
			}
		}
		assert_true(lost > 30);
		expect_well(1, 500, lost);
		fake_loss_at_rest();
	}
}

/* A task that waits for nothing but its last CTAs issues those that are lost; one that is suspended when it is resumed. */
static void draining(void **state)
{
	struct gg_tmd tmd = grid(3, 2);
	uint64_t address;

	(void)state;
	begin(false);
	address = fake_run(1, &tmd);
	fake_take_all();
	fake_lose(1);
	fake_take_all();
	assert_int_not_equal(sm_of(1, 1), UINT32_MAX);
	fake_name(7, GG_OPCODE_SUSPEND, address);
	fake_expect(7, GG_OK);
	fake_lose(2);
	fake_take_all();
	assert_int_equal(fake_cta_count, 2);
	assert_int_equal(sm_of(1, 2), UINT32_MAX);
	end_all();
	fake_expect_none();
	fake_name(7, GG_OPCODE_RESUME, address);
	fake_expect(7, GG_OK);
	end_all();
	expect_well(1, 3, 2);
	fake_loss_at_rest();
}

/* A lost CTA of a task that had issued all of them waits for an SM like any other, also while a better task has taken them all:
 * the turns are counted. */
static void waits_for_room(void **state)
{
	const struct gg_tmd tmd = grid(SMS, 1);
	const struct gg_tmd better = fake_with_priority(grid(300, 1), 1);

	(void)state;
	begin(false);
	fake_run(1, &tmd);
	fake_run(2, &better);
	fake_take_all();
	assert_int_equal(device.slots[0].reason, GG_REASON_NONE);
	fake_lose(5);
	fake_revive(5);
	assert_int_equal(device.slots[0].in_flight, SMS - 1);
	assert_int_equal(device.slots[0].reason, GG_REASON_SM);
	for (uint32_t turn = 0; turn < 50; turn++) {
		fake_settle(100);
	}
	end_all();
	for (uint32_t count = 0; count < 2; count++) {
		struct gg_completion done;

		assert_true(fake_completion(&done));
		if (done.tag == 1) {
			assert_int_equal(done.retried, 1);
			assert_in_range(done.not_issued[GG_REASON_SM], 50, 1000);
		}
	}
	each_ended_once(1, SMS);
	fake_loss_at_rest();
}

/* One CTA at a time, a launch quota, and a better task that takes the slots. */
static void under_rules(void **state)
{
	struct gg_tmd tmd = grid(9, 2), small = grid(6, 2), better = fake_tmd(1);

	(void)state;
	begin(false);
	tmd.header |= GG_TMD_SEQUENTIAL;
	small.header |= GG_TMD_QUOTA_ENABLE;
	small.quota = 2;
	fake_run(1, &tmd);
	fake_run(2, &small);
	for (uint32_t sm = 0; sm < 3; sm++) {
		fake_take_all();
		assert_int_equal(fake_count(1), 1);
		fake_revive(sm);
	}
	for (uint32_t tag = 10; tag < 10 + CP_SLOTS; tag++) {
		better = fake_with_priority(better, 1);
		fake_run(tag, &better);
	}
	end_all();
	for (uint32_t count = 0; count < 2 + CP_SLOTS; count++) {
		struct gg_completion done;

		assert_true(fake_completion(&done));
		assert_int_equal(done.status, GG_OK);
		assert_true(done.tag >= 10 || done.retried != 0);
	}
	each_ended_once(1, 9);
	each_ended_once(2, 6);
	fake_loss_at_rest();
}

/* A queue with that many items in it. */
static struct gg_tmd queue_of(uint32_t capacity, uint32_t items, uint32_t limit)
{
	struct gg_tmd tmd = fake_queue(capacity, items);

	tmd.queue_outstanding = capacity;
	tmd.retry_limit = limit;
	return tmd;
}

/* S0-R05: CTAs of a queue task have the items that they had before, all N of them and the rest. */
static void items_again(void **state)
{
	struct gg_tmd tmd = queue_of(95, 3, RETRY_MOST);
	uint32_t lost = 0;

	(void)state;
	begin(true);
	tmd.header |= GG_TMD_CLOSED;
	fake_run(1, &tmd);
	for (uint32_t sm = 0; sm < SMS; sm += 3) {
		assert_int_equal(fake_take_all(), 32);
		lost += fake_on_sm(sm);
		fake_revive(sm);
	}
	end_all();
	assert_true(lost > 8);
	assert_int_equal(fake_expect(1, GG_OK).retried, lost);
	each_ended_once(1, 95);
	fake_loss_at_rest();
}

/* S0-R05: also when the window of the queue waits for one of them, and nothing else may be issued: it comes first, alone. */
static void items_of_a_full_window(void **state)
{
	struct gg_tmd tmd = queue_of(400, 1, 2);
	uint32_t last = 0;

	(void)state;
	begin(false);
	tmd.header |= GG_TMD_CLOSED;
	fake_run(1, &tmd);
	while (fake_take_all() > 1) {
		for (uint32_t index = fake_cta_count; index-- > 0;) {
			if (fake_ctas[index].cta != 0) {
				last = (uint32_t)fake_ctas[index].cta;
				end(index);
			}
		}
		fake_settle(100);
	}
	assert_true(last < QUEUE_WINDOW);
	fake_lose(sm_of(1, 0));
	fake_take_all();
	assert_int_equal(fake_cta_count, 1);
	assert_int_equal(fake_ctas[0].cta, 0);
	end_all();
	assert_int_equal(fake_expect(1, GG_OK).retried, 1);
	each_ended_once(1, 400);
	fake_loss_at_rest();
}

/* S0-R05: numbers of items begin anew between those that a CTA had and those that come next; and a task that was suspended
 * meanwhile runs them when it is resumed. */
static void items_where_numbers_wrap(void **state)
{
	struct gg_tmd tmd = queue_of(8, 2, 1);
	uint64_t address;
	struct task *task;

	(void)state;
	begin(false);
	tmd.queue_outstanding = 0;
	address = fake_run(1, &tmd);
	task = name_table_find_queue(task_name_of(gg_low(address), gg_high(address), 0));
	task->queue->position = task->queue->wrap - 4;
	assert_int_equal(fake_push(address, 8), GG_OK);
	fake_take_all();
	assert_int_equal(fake_cta_count, 4);
	fake_name(7, GG_OPCODE_SUSPEND, address);
	fake_expect(7, GG_OK);
	for (uint32_t cta = 0; cta < 4; cta++) {
		fake_lose(sm_of(1, cta));
	}
	assert_int_equal(fake_take_all(), 0);
	fake_name(7, GG_OPCODE_RESUME, address);
	fake_expect(7, GG_OK);
	fake_take_all();
	assert_int_equal(fake_cta_count, 4);
	for (uint32_t index = 0; index < 4; index++) {
		const struct fake_cta *cta = &fake_ctas[index];

		assert_int_equal(cta->first, cta->cta < 2 ? task->queue->wrap - 4 + 2 * cta->cta
							  : 2 * (cta->cta - 2));
		assert_int_equal(cta->items, 2);
	}
	fake_name(7, GG_OPCODE_CLOSE, address);
	fake_expect(7, GG_OK);
	while (fake_cta_count != 0) {
		fake_end(0, GG_OK);
	}
	fake_settle(100);
	assert_int_equal(fake_expect(1, GG_OK).retried, 4);
	fake_loss_at_rest();
}

/* The limit is that of each CTA: those that come after one that was lost were not. */
static void limit_of_items(void **state)
{
	struct gg_tmd tmd = queue_of(2, 1, 1);
	uint64_t address;

	(void)state;
	begin(false);
	address = fake_run(1, &tmd);
	fake_take_all();
	fake_revive(sm_of(1, 0));
	fake_take_all();
	end(0);
	end(0);
	fake_settle(100);
	assert_int_equal(fake_push(address, 2), GG_OK);
	fake_take_all();
	fake_revive(sm_of(1, 2));
	fake_expect_none();
	fake_take_all();
	assert_int_equal(fake_cta_count, 2);
	fake_ask_for_reset(sm_of(1, 2));
	fake_lose(sm_of(1, 2));
	expect_lost(1, GG_FIELD_TMD_RETRY_LIMIT, 1);
	fake_loss_at_rest();
}

/* A CTA runs again as often as its limit says, and others of the same task, too. */
static void limit(void **state)
{
	(void)state;
	for (uint32_t limit = 1; limit <= RETRY_MOST; limit++) {
		const struct gg_tmd tmd = grid(2, limit);

		begin(false);
		fake_run(1, &tmd);
		for (uint32_t times = 0; times < limit; times++) {
			fake_take_all();
			fake_revive(
				sm_of(1, 0)); /* the host asked for it, so the CTA is not blamed */
		}
		fake_expect_none();
		fake_take_all();
		assert_int_equal(fake_cta_count, 2);
		fake_ask_for_reset(sm_of(1, 0));
		fake_lose(sm_of(1, 0));
		assert_int_equal(device.slots[0].in_flight,
				 1); /* the other one, until it is stopped */
		expect_lost(1, GG_FIELD_TMD_RETRY_LIMIT, limit);
		fake_loss_at_rest();
	}
}

/* Each CTA has its own limit: many of them are lost once. */
static void limit_of_each(void **state)
{
	const struct gg_tmd tmd = grid(64, 1);

	(void)state;
	begin(false);
	fake_run(1, &tmd);
	fake_take_all();
	fake_lose(0);
	fake_lose(1);
	fake_lose(2);
	end_all();
	expect_well(1, 64, 24);
	fake_loss_at_rest();
}

/* A CTA that brings down a second SM ends its task, whatever the limit; the tasks beside it go on. Its kernel is refused, also
 * where another task of it was known as a plain one, until the channel is reset. */
static void guilty(void **state)
{
	struct gg_tmd bad = grid(1, RETRY_MOST), good = grid(4 * SMS, RETRY_MOST),
		      other = fake_tmd(2), again = fake_tmd(1);

	(void)state;
	begin(false);
	bad.entry_lo += 8;
	again.entry_lo += 8;
	fake_run(9, &again);
	end_all();
	fake_expect(9, GG_OK);
	fake_run(1, &bad);
	fake_run(2, &good);
	fake_take_all();
	fake_lose(sm_of(1, 0));
	fake_take_all();
	assert_int_not_equal(sm_of(1, 0), UINT32_MAX);
	fake_run(3, &other);
	fake_lose(sm_of(1, 0));
	fake_expect_error(1, GG_ERR_QUARANTINE, GG_FIELD_TMD_ENTRY, bad.entry_lo);
	fake_run(9, &again);
	fake_expect_error(9, GG_ERR_QUARANTINE, GG_FIELD_TMD_ENTRY, bad.entry_lo);
	quarantine_lift(1);
	fake_run(9, &again);
	fake_expect_error(9, GG_ERR_QUARANTINE, GG_FIELD_TMD_ENTRY, bad.entry_lo);
	quarantine_lift(0);
	end_all();
	while (fake_cta_count != 0) {
		end(fake_cta_count - 1);
	}
	fake_settle(100);
	struct gg_completion done[2];

	assert_true(fake_completion(&done[0]) && fake_completion(&done[1]));
	for (uint32_t index = 0; index < 2; index++) {
		assert_int_equal(done[index].status,
				 done[index].tag == 2 ? GG_OK : done[index].status);
		assert_int_equal(done[index].field, 0);
	}
	each_ended_once(2, 4 * SMS);
	fake_run(9, &again);
	end_all();
	fake_expect(9, GG_OK);
	fake_loss_at_rest();
}

/* CTAs of two kernels were on the same lost SMs: nobody knows which of them it was, so both go on, up to their limits. When one of
 * them is alone on the next one, it is known. */
static void two_suspects(void **state)
{
	struct gg_tmd first = grid(2, RETRY_MOST), second = grid(2, RETRY_MOST);

	(void)state;
	fake_device_init(2);
	memset(ends, 0, sizeof(ends));
	first.entry_lo += 8;
	fake_run(1, &first);
	fake_run(2, &second);
	for (uint32_t times = 0; times < 4; times++) {
		fake_take_all();
		fake_lose(times % 2);
		fake_take_all();
		assert_int_equal(fake_on_sm(1 - times % 2), 4);
		fake_revive(times % 2);
	}
	fake_expect_none();
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		if (fake_tag(index) == 1) {
			end(index);
		}
	}
	fake_settle(100);
	expect_well(1, 2, 7);
	fake_lose(0);
	fake_expect_error(2, GG_ERR_QUARANTINE, GG_FIELD_TMD_ENTRY, second.entry_lo);
	fake_loss_at_rest();
}

/* A suspect that is alone of its kind: the SMs that the host has reset do not count. */
static void not_blamed(void **state)
{
	const struct gg_tmd tmd = grid(1, RETRY_MOST);

	(void)state;
	begin(false);
	fake_run(1, &tmd);
	for (uint32_t times = 0; times < 5; times++) {
		fake_take_all();
		fake_revive(sm_of(1, 0));
	}
	fake_take_all();
	fake_lose(sm_of(1, 0));
	end_all();
	expect_well(1, 1, 6);
	fake_loss_at_rest();
}

/* Eight kernels are known; the oldest goes. */
static void places_of_kernels(void **state)
{
	(void)state;
	quarantine_init();
	for (uint64_t entry = 1; entry <= QUARANTINE_PLACES + 1; entry++) {
		assert_false(quarantine_has(entry));
		quarantine_add(entry, (uint32_t)entry % 2);
		quarantine_add(entry, 7);
		assert_true(quarantine_has(entry));
	}
	assert_int_equal(quarantine_count, QUARANTINE_PLACES);
	assert_false(quarantine_has(1));
	quarantine_lift(7);
	assert_int_equal(quarantine_count, QUARANTINE_PLACES);
	quarantine_lift(0);
	for (uint64_t entry = 2; entry <= QUARANTINE_PLACES + 1; entry++) {
		assert_int_equal(quarantine_has(entry), entry % 2 != 0);
	}
	quarantine_lift(1);
	assert_int_equal(quarantine_count, 0);
}

/* Without the limit a lost CTA ends its task, as ever. */
static void not_asked(void **state)
{
	const struct gg_tmd tmd = grid(40, 0);

	(void)state;
	begin(false);
	fake_run(1, &tmd);
	fake_take_all();
	fake_lose(3);
	expect_lost(1, 0, 0);
	fake_loss_at_rest();
}

/* What is to be issued again goes with a task that is cancelled; and a task fails if there is no place to note it. */
static void places_of_ranges(void **state)
{
	struct gg_tmd tmd = grid(80, 2);
	uint64_t address;

	(void)state;
	begin(false);
	address = fake_run(1, &tmd);
	fake_take_all();
	fake_lose(3);
	assert_int_equal(range_free(), CP_RANGES - 1);
	fake_name(7, GG_OPCODE_CANCEL, address);
	fake_expect(7, GG_OK);
	fake_stop_all();
	fake_expect(1, GG_ERR_CANCELLED);
	fake_loss_at_rest();
	fake_run(2, &tmd);
	fake_take_all();
	assert_true(range_reserve(CP_RANGES));
	fake_lose(4);
	range_unreserve(CP_RANGES);
	expect_lost(2, 0, 0);
	fake_loss_at_rest();
}

static void refuse(struct gg_tmd tmd)
{
	struct gg_completion done;

	fake_run(1, &tmd);
	done = fake_expect(1, GG_ERR_UNSUPPORTED);
	assert_int_equal(done.field, GG_FIELD_TMD_RETRY_LIMIT);
	assert_int_equal(done.value_lo, tmd.retry_limit);
}

/* A limit that is too large. */
static void refused(void **state)
{
	(void)state;
	begin(false);
	refuse(grid(4, RETRY_MOST + 1));
	refuse(grid(4, UINT32_MAX));
	fake_loss_at_rest();
}

/* Grids and lost SMs at random, with and without waves: all CTAs of all grids end once. */
static void storm(void **state)
{
	uint32_t tag = 100, over = 0, seed = 7, lost = 0, sms[TAGS] = { 0 };
	uint64_t retried = 0;
	struct gg_completion done;

	(void)state;
	begin(true);
	for (uint32_t step = 0; step < 10000 || over < tag - 100; step++) {
		assert_true(step < 200000);
		seed = seed * 1103515245u + 12345u;
		const uint32_t what = seed >> 16 & 31u, which = seed >> 21;
		const uint32_t sm = which % SMS;

		if (what < 2 && step < 10000 && tag < TAGS) {
			const struct gg_tmd tmd = fake_with_priority(
				grid(1 + which % 100, RETRY_MOST), 1 + which % 9);

			sms[tag] = tmd.grid_x;
			fake_submit(0, tag++, &tmd);
		} else if (what == 2 && (step & 7) == 0) {
			lost += fake_reset(sm) ? 1 : 0;
		} else if (what < 8) {
			(void)fake_take_packets(sm);
		} else if (fake_cta_count != 0) {
			end(which % fake_cta_count);
		}
		fake_look();
		fake_settle(1000);
		while (fake_completion(&done)) {
			if (done.tag == FAKE_RESET) {
				continue;
			}
			assert_int_equal(done.status, GG_OK);
			assert_int_equal(done.ctas_lo, sms[done.tag]);
			each_ended_once(done.tag, sms[done.tag]);
			retried += done.retried;
			over++;
		}
	}
	assert_true(lost > 50 && retried > 300);
	fake_loss_at_rest();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_again),
		cmocka_unit_test(ended_before),
		cmocka_unit_test(in_the_middle),
		cmocka_unit_test(draining),
		cmocka_unit_test(waits_for_room),
		cmocka_unit_test(under_rules),
		cmocka_unit_test(limit),
		cmocka_unit_test(limit_of_each),
		cmocka_unit_test(guilty),
		cmocka_unit_test(not_asked),
		cmocka_unit_test(places_of_ranges),
		cmocka_unit_test(refused),
		cmocka_unit_test(storm),
		cmocka_unit_test(two_suspects),
		cmocka_unit_test(not_blamed),
		cmocka_unit_test(places_of_kernels),
		cmocka_unit_test(items_again),
		cmocka_unit_test(items_of_a_full_window),
		cmocka_unit_test(items_where_numbers_wrap),
		cmocka_unit_test(limit_of_items),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
