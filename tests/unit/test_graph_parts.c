/* SPDX-License-Identifier: Apache-2.0 */
/* Task graphs on the control processor: large passes are run in parts, or pulled, or are waves; the report.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_graph.c tests/unit/fake_pull.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/loop.h"
#include "firmware/cp/task/task.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_graph.h"
#include "tests/unit/fake_pull.h"
#include "tests/unit/fake_run.h"

#define NONE UINT32_MAX

static struct fake_graph graph;

/* S2-R82, S2-Q17: a large pass is run in parts; it has ended when the last part has. */
static void split_and_joined(void **state)
{
	(void)state;
	const uint32_t big = fake_graph_fresh(&graph, 8, 10);
	const uint32_t buffer = fake_graph_buffer(&graph, 64);

	fake_graph_pass(&graph, big, NONE, buffer);
	fake_graph_pass(&graph, big, buffer, NONE);
	graph.settings.split_ctas = 4;
	fake_graph_run(&graph, 1);
	fake_take_all();
	fake_settle(200);
	assert_int_equal(fake_take_all(), 10);

	uint32_t slots = 0;
	uint32_t ctas = 0;

	for (uint32_t index = 0; index < fake_cta_count; index++) {
		slots |= 1u << fake_ctas[index].slot;
		ctas |= 1u << fake_ctas[index].cta;
	}
	assert_int_equal(__builtin_popcount(slots), 3);
	assert_int_equal(ctas, 0x3ff); /* each CTA once */
	while (fake_cta_count > 1) {
		fake_end(0, GG_OK);
	}
	fake_settle(200);
	assert_int_equal(fake_take_all(), 1);
	fake_end(0, GG_OK);
	fake_settle(200);
	fake_finish();
	fake_settle(200);
	fake_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 20);
	assert_int_equal(fake_graph_pass_report(&graph, 0)->ctas_lo, 10);
}

/* S2-R82: no part has more CTAs than was asked for, also when they can be shared out evenly, and none is smaller then. */
static void parts_of_the_same_size(void **state)
{
	uint32_t ctas[CP_SLOTS] = { 0 };
	uint32_t parts = 0;

	(void)state;
	fake_graph_pass(&graph, fake_graph_fresh(&graph, 8, 12), NONE, NONE);
	graph.settings.split_ctas = 4;
	fake_graph_run(&graph, 1);
	fake_take_all();
	fake_settle(200);
	fake_take_all();
	assert_int_equal(fake_cta_count, 12);
	for (uint32_t index = 0; index < fake_cta_count; index++) {
		ctas[fake_ctas[index].slot]++;
	}
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		assert_true(ctas[slot] == 0 || ctas[slot] == 4);
		parts += ctas[slot] != 0;
	}
	assert_int_equal(parts, 3);
	fake_end_all();
	fake_settle(200);
	fake_expect(1, GG_OK);
}

/* A part that fails takes the other parts with it. */
static void a_part_fails(void **state)
{
	(void)state;
	fake_graph_pass(&graph, fake_graph_fresh(&graph, 8, 10), NONE, NONE);
	graph.settings.split_ctas = 4;
	fake_graph_run(&graph, 1);
	fake_take_all();
	fake_settle(200);
	assert_int_equal(fake_take_all(), 10);
	fake_end(0, GG_ERR_ABORTED);
	fake_settle(200);
	fake_stop_all();
	fake_stop_all();
	fake_settle(200);
	fake_expect(1, GG_ERR_ABORTED);
	assert_int_equal(fake_cta_count, 0);
}

/* S2-R82, S2-Q19: parts of which no CTA was issued yet end with one that fails, and leave their turns to the passes behind
 * them. */
static void parts_that_were_not_issued(void **state)
{
	const uint32_t passes = 6;
	const uint32_t kernel = fake_graph_fresh(&graph, 4, 120); /* of which 32 have room */

	(void)state;
	for (uint32_t pass = 0; pass < passes; pass++) {
		fake_graph_pass(&graph, kernel, NONE, NONE);
	}
	graph.settings.split_ctas = 40;
	graph.settings.at_once = 1;
	fake_graph_run(&graph, 1);
	for (uint32_t pass = 0; pass < passes; pass++) {
		fake_settle(300);
		assert_int_equal(fake_take_all(), 32);
		fake_end(0, GG_ERR_ABORTED);
		fake_settle(300);
		fake_stop_all();
		fake_settle(300);
		fake_stop_all();
	}
	fake_settle(300);
	assert_int_equal(fake_take_all(), 0);
	fake_expect(1, GG_ERR_ABORTED);
	assert_int_equal(fake_graph_report(&graph)->failed, passes);
	assert_int_equal(task_pool_free(), task_pool_capacity());
}

/* A program of passes of so many CTAs, one after the other. */
static void put_chain(uint32_t ctas, uint32_t passes)
{
	fake_graph_begin(&graph);
	const uint32_t kernel =
		fake_graph_state(&graph, fake_with_mode(fake_tmd(ctas), GG_TASK_MODE_DEVICE));
	const uint32_t buffer = fake_graph_buffer(&graph, 64);

	for (uint32_t pass = 0; pass < passes; pass++) {
		fake_graph_pass(&graph, kernel, buffer, buffer);
	}
}

/* S4-R16: a pass that does not fit into the device at once is pulled, all of it, unless it is run in parts; the graph has the SMs
 * that ran it. */
static void large_passes_are_pulled(void **state)
{
	static const uint32_t parts[] = { 0, 2000, 400 };

	(void)state;
	for (uint32_t at = 0; at < 3; at++) {
		fake_pull_init_waves(4);
		put_chain(1000, 3);
		graph.settings.split_ctas = parts[at];
		fake_graph_run(&graph, 1);
		if (parts[at] == 400) {
			assert_int_equal(device.perf->pull_packets, 0);
			fake_finish();
		} else {
			assert_int_equal(device.perf->pull_packets, 4);
			fake_pull_begin_all();
			fake_pull_finish();
			assert_int_equal(device.perf->pull_packets, 3 * 4);
			assert_int_equal(fake_items, 3000);
		}
		const struct gg_completion done = fake_expect(1, GG_OK);

		assert_int_equal(done.ctas_lo, 3000);
		assert_int_equal(gg_get(done.source, GG_COMPLETION_SMS), 4);
		assert_int_equal(device.perf->pull_packets != 0, parts[at] != 400);
		assert_int_equal(task_pool_free(), task_pool_capacity());
	}
}

/* Turns until the control processor would sleep. */
static void turns(void)
{
	loop_wake();
	while (loop_turn()) {
	}
}

/* The passes of a chain leave by waves, and end with them, without a stage that looks at SMs. The graph has the SMs of all. */
static void waves_of_a_chain(void **state)
{
	static const uint32_t ctas[] = { 300, 2, 40, 3 };

	(void)state;
	fake_pull_init_waves(40); /* more than a word of SMs */
	for (uint32_t at = 0; at < 4; at++) {
		const uint32_t sms = ctas[at] < 40 ? ctas[at] : 40;

		put_chain(ctas[at], 5);
		const struct gg_tmd tmd = fake_graph_put(&graph);

		fake_graph_post(1, fake_put_tmd(&tmd));
		turns();
		for (uint32_t pass = 0; pass < 5; pass++) {
			assert_int_equal(device.perf->waves, 5 * at + pass + 1);
			assert_true(due_is(DUE_LENT));
			assert_int_equal(fake_take_now(), ctas[at]);
			while (fake_cta_count != 0) {
				fake_end(0, GG_OK);
			}
			turns();
		}
		assert_int_equal(device.perf->class_rebuilds, 0);
		assert_int_equal(gg_get(fake_expect(1, GG_OK).source, GG_COMPLETION_SMS), sms);
		for (uint32_t pass = 0; pass < 5; pass++) {
			assert_int_equal(fake_graph_pass_report(&graph, pass)->ctas_lo, ctas[at]);
		}
		assert_int_equal(task_pool_free(), task_pool_capacity());
	}
}

/* Run a large pass while so many places of the pool are free. Returns how many parts it has. */
static uint32_t parts_with(uint32_t places_left)
{
	void **places = calloc(task_pool_capacity(), sizeof(places[0]));
	uint32_t slots = 0, taken = 0;

	assert_non_null(places);
	fake_graph_pass(&graph, fake_graph_fresh(&graph, 8, 10), NONE, NONE);
	graph.settings.split_ctas = 4;
	while (task_pool_free() > places_left) {
		places[taken++] = task_take_place();
	}
	fake_graph_run(&graph, 1);
	fake_take_all();
	fake_settle(200);
	fake_take_all();
	assert_int_equal(fake_cta_count, 10);
	for (uint32_t index = 0; index < fake_cta_count; index++) {
		slots |= 1u << fake_ctas[index].slot;
	}
	fake_end_all();
	fake_settle(200);
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 10);
	while (taken > 0) {
		task_give_place(places[--taken]);
	}
	free(places);
	return (uint32_t)__builtin_popcount(slots);
}

/* S2-R82: while the pool has few places left a large pass runs as one task, which leaves them to others: fewer than as many as
 * the most parts take beside the reserve. The graph itself has two. */
static void whole_when_places_are_few(void **state)
{
	const uint32_t enough = CP_RESERVE + 16 + 2;

	(void)state;
	assert_int_equal(parts_with(CP_RESERVE + 8), 1);
	assert_int_equal(parts_with(enough - 1), 1);
	assert_int_equal(parts_with(enough), 3);
}

#define LATER (7ull << 32) /* ticks: the clock has more than 32 bits */

/* Four passes of grids of 4 CTAs: 1, of three commands, and 2 read what 0 writes; 3 needs what 2 does not make. */
static struct gg_tmd four_passes(void)
{
	const uint32_t kernel = fake_graph_fresh(&graph, 8, 4);
	const uint32_t first = fake_graph_transient(&graph, 100);
	const uint32_t second = fake_graph_transient(&graph, 1000);

	fake_hal.now = LATER;
	fake_graph_pass(&graph, kernel, NONE, first); /* steps 0 to 3 */
	fake_graph_step(&graph, GG_GRAPH_OP_INVOKE, 0, 0, 0, 0);
	fake_graph_pass(&graph, kernel, first, second); /* steps 5 to 10 */
	fake_graph_pass(&graph, kernel, second, NONE);  /* steps 11 to 14 */
	fake_graph_step(&graph, GG_GRAPH_OP_END, 0, 0, 0, 0);
	graph.definitions[graph.definition_count++] =
		(struct gg_graph_definition){ .first = graph.step_count, .count = 6 };
	fake_graph_use(&graph, GG_GRAPH_OP_READ, first); /* steps 16 to 21 */
	fake_graph_step(&graph, GG_GRAPH_OP_FENCE, 0, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_STATE, 0, 0, 0, kernel);
	fake_graph_step(&graph, GG_GRAPH_OP_DISPATCH, 0, 0, 0, 0);
	fake_graph_step(&graph, GG_GRAPH_OP_DISPATCH, 0, 0, 0, 0);
	return fake_graph_put(&graph);
}

/* Goes on, and returns when. */
static uint64_t go_on(uint32_t ctas)
{
	fake_settle(300);
	assert_int_equal(fake_take_all(), ctas);
	return fake_hal.now;
}

/* A CTA of a pass. */
static uint32_t cta_of(uint32_t pass)
{
	uint32_t index = 0;

	while (task_table_holder(fake_ctas[index].slot)->pass.number != pass + 1) {
		index++;
		assert_in_range(index, 0, fake_cta_count - 1);
	}
	return index;
}

static void assert_between(uint32_t low, uint32_t high, uint64_t from, uint64_t to)
{
	const uint64_t time = gg_join(low, high);

	assert_true(from <= time && time <= to);
}

/* Every word of the entry of a pass. It became ready and started between two times, and ended between two others; one
 * that is skipped never starts. */
static void assert_entry(uint32_t pass, struct gg_graph_pass expected, const uint64_t *started,
			 const uint64_t *ended)
{
	const struct gg_graph_pass *words = fake_graph_pass_report(&graph, pass);

	assert_between(words->ready_lo, words->ready_hi, started[0], started[1]);
	if (expected.cause == 0) {
		assert_between(words->started_lo, words->started_hi,
			       gg_join(words->ready_lo, words->ready_hi), started[1]);
	} else {
		assert_int_equal(words->started_lo | words->started_hi, 0);
	}
	assert_between(words->ended_lo, words->ended_hi, ended[0], ended[1]);
	memcpy(&expected.ready_lo, &words->ready_lo, 6 * sizeof(uint32_t));
	expected.estimate = 50 * FAKE_US + 1;
	expected.units = 4;
	assert_memory_equal(words, &expected, sizeof(expected));
}

static void assert_head(const uint64_t *made)
{
	const struct gg_graph_report *words = fake_graph_report(&graph);
	struct gg_graph_report expected = { .passes = 4,
					    .resources = 2,
					    .reads = 3,
					    .writes = 2,
					    .steps = 22,
					    .failed = 1,
					    .skipped = 1,
					    .at_once = 2,
					    .sum_lo = 128 + 1024, /* in units of 64 bytes */
					    .peak_lo = 128 + 1024 };

	assert_between(words->started_lo, words->started_hi, made[0], made[1]);
	assert_between(words->made_lo, words->made_hi,
		       gg_join(words->started_lo, words->started_hi) + 1,
		       gg_join(fake_graph_pass_report(&graph, 0)->ready_lo,
			       fake_graph_pass_report(&graph, 0)->ready_hi));
	memcpy(&expected.started_lo, &words->started_lo, 4 * sizeof(uint32_t));
	assert_memory_equal(words, &expected, sizeof(expected));
}

/* S2-R37, S2-R38, S2-Q19: every word of the report of a graph, one of whose passes fails. */
static void every_word_of_the_report(void **state)
{
	const uint32_t done = GG_GRAPH_PASS_STATE_DONE;
	const struct gg_tmd tmd = four_passes();
	uint64_t at[5] = { fake_hal.now };

	(void)state;
	fake_run(1, &tmd);
	at[1] = go_on(4);
	fake_end_all();
	at[2] = go_on(8);
	fake_end(cta_of(2), GG_OK);
	fake_end(cta_of(2), GG_ERR_ABORTED);
	fake_stop_all();
	at[3] = go_on(4);
	fake_end_all();
	(void)go_on(4);
	fake_end_all();
	at[4] = go_on(0);
	fake_expect(1, GG_ERR_ABORTED);
	assert_entry(0, (struct gg_graph_pass){ .state = done, .step = 3, .ctas_lo = 4 }, &at[0],
		     &at[1]);
	assert_entry(1,
		     (struct gg_graph_pass){ .state = done | gg_put(GG_GRAPH_PASS_DEFINITION, 1),
					     .step = 21,
					     .ctas_lo = 8 },
		     &at[1], &at[3]);
	assert_entry(2,
		     (struct gg_graph_pass){ .state = GG_GRAPH_PASS_STATE_FAILED,
					     .status = (uint32_t)GG_ERR_ABORTED,
					     .step = 10,
					     .ctas_lo = 1 },
		     &at[1], &at[2]);
	assert_entry(3,
		     (struct gg_graph_pass){ .state = GG_GRAPH_PASS_STATE_SKIPPED,
					     .status = (uint32_t)GG_ERR_DEPENDENCY,
					     .step = 14,
					     .cause = 3 },
		     &at[2], &at[2]);
	assert_head(&at[0]);
}

/* S2-R37: a kernel that ran is expected to take as long again, unless it failed. */
static void what_has_run(void **state)
{
	const uint32_t wave_ticks = 50 * FAKE_US + 1;
	uint32_t expected = wave_ticks;

	(void)state;
	(void)fake_graph_fresh(&graph, 8, 4);
	for (uint32_t run = 0; run < 3; run++) {
		fake_graph_begin(&graph);
		fake_graph_pass(&graph, fake_graph_state(&graph, fake_tmd(4)), NONE, NONE);
		fake_graph_run(&graph, 1);
		(void)go_on(4);
		fake_hal.now += 7000;
		if (run == 0) {
			fake_end(0, GG_ERR_ABORTED);
			fake_stop_all();
		} else {
			fake_end_all();
		}
		(void)go_on(0);
		fake_expect(1, run == 0 ? GG_ERR_ABORTED : GG_OK);
		const struct gg_graph_pass *words = fake_graph_pass_report(&graph, 0);

		assert_int_equal(words->estimate, expected);
		expected = run == 0 ? wave_ticks : words->ended_lo - words->started_lo;
	}
}

/* A pass is expected to take as many waves as its CTAs fill, but no more ticks than fit 64 times into a word. */
static void what_takes_very_long(void **state)
{
	(void)state;
	(void)fake_graph_fresh(&graph, 8, 1);
	const uint32_t most = UINT32_MAX / 64, wave_ticks = 50 * FAKE_US + 1;
	const uint32_t ctas = 8 * device.resources.units; /* in a wave */
	const uint32_t waves = most / wave_ticks;
	const struct {
		uint32_t ctas, ticks;
	} cases[] = {
		{ ctas - 1, wave_ticks },
		{ ctas, 2 * wave_ticks },
		{ (waves - 2) * ctas, (waves - 1) * wave_ticks },
		{ (waves - 1) * ctas, most },
		{ UINT32_MAX, most },
	};

	for (uint32_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		const uint32_t kernel = fake_graph_fresh(&graph, 8, cases[at].ctas);

		fake_graph_pass(&graph, kernel, NONE, NONE);
		fake_graph_run(&graph, 1);
		(void)go_on(8 * device.resources.ctas);
		fake_end(0, GG_ERR_ABORTED);
		fake_stop_all();
		(void)go_on(0);
		fake_expect(1, GG_ERR_ABORTED);
		assert_int_equal(fake_graph_pass_report(&graph, 0)->estimate, cases[at].ticks);
	}
}

/* S2-R38: a report has as many whole entries as its memory has room for, and nothing is written behind them. */
static void room_for_a_report(void **state)
{
	const uint32_t head = sizeof(struct gg_graph_report), entry = sizeof(struct gg_graph_pass);

	(void)state;
	for (uint32_t bytes = head - 8; bytes <= head + 4 * entry; bytes += 8) {
		const uint32_t kernel = fake_graph_fresh(&graph, 8, 1);
		uint32_t entries = bytes < head ? 0 : (bytes - head) / entry;
		uint8_t *report;

		for (uint32_t pass = 0; pass < 3; pass++) {
			fake_graph_pass(&graph, kernel, NONE, NONE);
		}
		const struct gg_tmd tmd = fake_graph_put(&graph);

		((struct gg_graph *)fake_at(tmd.queue_lo))->report_bytes = bytes;
		report = fake_at(graph.report);
		memset(report, 0xa5, head + 4 * entry);
		fake_run(1, &tmd);
		fake_finish();
		fake_expect(1, GG_OK);
		entries = entries < 3 ? entries : 3;
		for (uint32_t pass = 0; pass < entries; pass++) {
			assert_int_equal(fake_graph_pass_report(&graph, pass)->ctas_lo, 1);
		}
		for (uint32_t at = bytes < head ? 0 : head + entries * entry; at < head + 4 * entry;
		     at++) {
			assert_int_equal(report[at], 0xa5);
		}
		assert_int_equal(fake_graph_report(&graph)->passes, bytes < head ? 0xa5a5a5a5 : 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_word_of_the_report),
		cmocka_unit_test(room_for_a_report),
		cmocka_unit_test(what_has_run),
		cmocka_unit_test(what_takes_very_long),
		cmocka_unit_test(split_and_joined),
		cmocka_unit_test(parts_of_the_same_size),
		cmocka_unit_test(large_passes_are_pulled),
		cmocka_unit_test(waves_of_a_chain),
		cmocka_unit_test(a_part_fails),
		cmocka_unit_test(parts_that_were_not_issued),
		cmocka_unit_test(whole_when_places_are_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
