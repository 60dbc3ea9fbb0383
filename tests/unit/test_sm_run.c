/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of a PULL grid: CTAs that a kernel goes on to without a trap between them.
 * sources: firmware/sm/pull/pull.c firmware/sm/pull/hand.c firmware/sm/pull/run.c firmware/sm/position.c firmware/sm/report.c firmware/sm/wave.c firmware/sm/cga/absent.c firmware/sm/units.c
 *          firmware/sm/bell.c firmware/sm/schedule.c
 *          firmware/pull/chunk.c firmware/pull/work_queue.c firmware/pull/local_queue.c
 *          tests/unit/fake_streams.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/schedule.h"
#include "tests/unit/fake_streams.h"

#define SHORT 1u /* ticks of a run that may be longer; a slice has 1,000 */

/* A kernel that goes on by itself; one stream of one SM. */
static struct sm_cta *begin(uint32_t items, uint32_t fixed)
{
	streams_init(STREAMS_SMS);
	streams_flat();
	streams.goes_on = true;
	streams_place(0, items, fixed);
	streams_send(0, 1, 0, 0, true);
	return &streams.sm[0].ctas[0];
}

/* Begin a run of so many CTAs, which takes so long. */
static void run(uint32_t ctas, uint32_t ticks)
{
	assert_true(streams_begin(0, 0));
	assert_int_equal(streams.sm[0].ctas[0].more, ctas - 1);
	streams.clock += ticks;
	streams_end(0, 0, GG_OK);
	assert_int_equal(streams.sm[0].ctas[0].state, SM_CTA_STREAM);
}

static void expect_running(uint32_t item, uint32_t follow)
{
	const struct gg_pull *block = streams_block(0);

	assert_int_equal(block->running[0], item);
	assert_int_equal(block->running[1], 0);
	assert_int_equal(block->last[0], item + follow);
}

/* S4-R16, S4-R38: runs grow while they are short, end with the chunk, and are counted CTA by CTA. */
static void grow_and_end_with_the_chunk(void **state)
{
	(void)state;
	begin(800, 200);
	run(1, SHORT);
	run(4, SHORT);
	run(16, SHORT);
	run(64, SHORT);
	run(64, SHORT);
	run(51, SHORT);
	assert_int_equal(streams.sm[0].ended, 200 - 6); /* cta.c counts the last of each */
	assert_int_equal(streams.sm[0].state->ctas, 200 - 6);
	while (streams_begin(0, 0)) {
		streams_end(0, 0, GG_OK);
	}
	assert_int_equal(streams_report(0)->pull_ctas, 800);
	streams_expect_runs(0, 800);
}

/* A run becomes longer if it will still take no longer than half a time slice, also after one that was cut short by the end
 * of a chunk. One that took longer is the last one, for a while. */
static void as_long_as_there_is_time(void **state)
{
	(void)state;
	begin(800, 20);
	run(1, 126);
	run(1, 125);
	run(4, 126);
	run(4, 125);
	run(10, 80);
	run(16, 126);
	run(4, 32);
	run(16, 125);
	run(4, SHORT);
	run(20, 500);
	run(20, 501);
	run(1, 126);
	run(1, SHORT);
	run(4, SHORT);
	streams_expect_runs(0, 106);
}

/* S4-R61: before a CTA has ended each stream takes one. CTAs that are so short come in chunks for a whole run, but for no more than an
 * even share. */
static void chunks_for_a_run(void **state)
{
	(void)state;
	begin(4 * 8 * 25, 0);
	run(1, SHORT);
	assert_int_equal(streams_hand(0)->items, 1);
	run(4, SHORT);
	run(16, SHORT);
	run(5, SHORT);
	assert_int_equal(streams_hand(0)->items, 25);
	run(64, SHORT);
	assert_int_equal(streams_hand(0)->items, 64);
	for (uint32_t left = 710; left >= 64 * 8; left -= 64) {
		run(64, SHORT);
	}
	run(57, SHORT); /* of 454 */
	run(50, 501);
	run(1, SHORT);
	assert_int_equal(streams_hand(0)->items, 11);
}

/* The SM follows a run at each trap: its state, its block for the case that it is lost, and its counts are those of
 * the CTA that has the hart. */
static void a_trap_finds_the_cta_that_runs(void **state)
{
	struct sm_cta *cta = begin(200, 100);
	uint64_t items[STREAMS_ITEMS];

	(void)state;
	run(1, SHORT);
	run(4, SHORT);
	assert_true(streams_begin(0, 0));
	expect_running(5, 15);
	streams_trap(0, 0, 0);
	expect_running(5, 15);
	streams_trap(0, 0, 3);
	expect_running(8, 12);
	assert_int_equal(cta->launch, 8);
	assert_int_equal(cta->linear, 8);
	assert_int_equal(cta->position[0], 8);
	assert_int_equal(streams.sm[0].tasks[STREAMS_SLOT].gathered.ctas, 8);
	streams_trap(0, 0, 7);
	expect_running(15, 5);
	assert_int_equal(streams_uncompleted(0, 1, items), 85);
	assert_int_equal(items[0], 15);
	streams_end(0, 0, GG_OK);
	assert_int_equal(streams_block(0)->running[1], HAND_NONE);
	streams_expect_runs(0, 21);
}

/* S4-R49: what fails is the CTA that runs, those before it are counted, and the rest of the run is not. */
static void a_failure_ends_the_run(void **state)
{
	struct sm_cta *cta = begin(200, 100);
	const struct gg_report *report;

	(void)state;
	run(1, SHORT);
	run(4, SHORT);
	assert_true(streams_begin(0, 0));
	streams_trap(0, 0, 2);
	streams_end(0, 0, GG_ERR_ABORTED);
	assert_int_equal(cta->state, SM_CTA_FREE);
	report = streams_report(0);
	assert_int_equal(report->status, (uint32_t)GG_ERR_ABORTED);
	assert_int_equal(report->cta_lo, 21); /* of the last report: what is left in hand */
	assert_int_equal(report->pull_ctas, 7);
	assert_int_equal(gg_get(report->pull_rest, GG_REPORT_PULL_REST), 79);
	streams_expect_runs(0, 7);
}

/* A kernel that leaves before the end of a run, and so does not go on by itself, gets the rest CTA by CTA, and no
 * further run. */
static void a_kernel_that_leaves_early(void **state)
{
	struct sm_cta *cta = begin(100, 100);

	(void)state;
	streams.goes_on = false;
	run(1, SHORT);
	assert_true(streams_begin(0, 0));
	for (uint32_t rest = 3; rest != 0; rest--) {
		streams_end(0, 0, GG_OK);
		expect_running(5 - rest, rest - 1);
		assert_true(streams_begin(0, 0));
		assert_int_equal(cta->linear, 5 - rest);
		assert_int_equal(cta->more, rest - 1);
	}
	streams_end(0, 0, GG_OK);
	for (uint32_t item = 5; item < 100; item++) {
		assert_true(streams_begin(0, 0));
		assert_int_equal(cta->more, 0);
		streams_end(0, 0, GG_OK);
	}
	assert_false(streams_begin(0, 0));
	streams_expect_runs(0, 100);
}

/* What a kernel writes into its block makes nothing run twice, and nothing that is not of its run. */
static void a_kernel_that_spoils_its_number(void **state)
{
	struct sm_cta *cta = begin(100, 100);
	struct gg_cta *block;

	(void)state;
	run(1, SHORT);
	streams.goes_on = false;
	assert_true(streams_begin(0, 0));
	block = (struct gg_cta *)cta->block;
	for (uint32_t wrong = 0; wrong < 3; wrong++) {
		block->cta_linear = (const uint64_t[]){ 0, 5, UINT64_MAX }[wrong];
		block->last = gg_low(block->cta_linear);
		streams_trap(0, 0, 0);
		assert_int_equal(cta->linear, 1);
		expect_running(1, 3);
	}
	streams_end(0, 0, GG_OK);
	while (streams_begin(0, 0)) {
		streams_end(0, 0, GG_OK);
	}
	streams_expect_runs(0, 100);
}

/* No runs: in a grid of three dimensions, with an edge, with a time limit; while the trace is on. */
static void none(void **state)
{
	(void)state;
	for (uint32_t kind = 0; kind < 5; kind++) {
		struct sm_task *task = &streams.sm[0].tasks[STREAMS_SLOT];

		streams_init(STREAMS_SMS);
		streams_flat();
		streams.goes_on = true;
		streams_place(0, 100, 100);
		task->limit = kind == 0 ? 0x7fffffff : kind == 1 ? 0x80000000 : 0;
		streams.tmd.coalesce_us = kind == 2;
		streams.tmd.grid_yz += kind == 3 ? gg_put(GG_TMD_GRID_Y, 1) : 0;
		streams.sm[0].state->trace = kind == 4;
		streams_prime(0);
		streams_send(0, 1, 0, 0, true);
		run(1, SHORT);
		run(kind == 1 ? 4 : 1, SHORT);
		assert_int_equal(task->run != 0, kind == 1 || kind == 4);
	}
	streams.sm[0].state->trace = 0;
	run(16, SHORT);
}

/* S4-R49: when nothing is left, the streams that have no item end with the one that finds it, and are reported with it.
 * One that runs a CTA stays, one that has the rest of a run does, and so do those of another task. */
static void streams_end_together(void **state)
{
	struct sm *sm = &streams.sm[0];

	(void)state;
	streams_init(STREAMS_SMS);
	streams_flat();
	streams_place(0, 16, 8);
	streams_send(0, 0x3f, 0, 0, true);
	assert_true(streams_begin(0, 0));
	streams_end(0, 0, GG_OK);
	assert_true(streams_begin(0, 1));
	assert_int_equal(sm->ctas[1].more, 3);
	streams_end(0, 1, GG_OK); /* leaves early: it has three items to itself */
	while (streams_hand(0)->left != 0 || work_remaining(streams_entry()) != 0) {
		assert_true(streams_begin(0, 0));
		streams_end(0, 0, GG_OK);
	}
	sm->ctas[4].task = &sm->tasks[STREAMS_SLOT + 1];
	assert_int_equal(sm->arrived, 6);
	assert_false(streams_begin(0, 3));
	assert_int_equal(sm->arrived, 2);
	assert_int_equal(schedule_first(sm)->unit, 1);
	assert_int_equal(sm->ctas[4].state, SM_CTA_STREAM);
	assert_int_equal(sm->tasks[STREAMS_SLOT].resident,
			 2); /* one of them is no longer its own */
	assert_null(streams_report(0));
	sm->tasks[STREAMS_SLOT].resident--;
	while (sm->ctas[1].state != SM_CTA_FREE && streams_begin(0, 1)) {
		streams_end(0, 1, GG_OK);
	}
	assert_int_equal(streams_report(0)->starts, 0x2f);
	streams_expect_runs(0, 16);
}

/* A stream that may not take more ends alone. */
static void a_stream_ends_alone(void **state)
{
	(void)state;
	begin(16, 8);
	streams_send(0, 2, 0, 0, true);
	streams_send(0, 4, 0, 0, false);
	run(1, SHORT);
	assert_false(streams_begin(0, 2));
	assert_int_equal(streams.sm[0].ctas[1].state, SM_CTA_STREAM);
	assert_true(streams_begin(0, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grow_and_end_with_the_chunk),
		cmocka_unit_test(as_long_as_there_is_time),
		cmocka_unit_test(chunks_for_a_run),
		cmocka_unit_test(a_trap_finds_the_cta_that_runs),
		cmocka_unit_test(a_failure_ends_the_run),
		cmocka_unit_test(a_kernel_that_leaves_early),
		cmocka_unit_test(a_kernel_that_spoils_its_number),
		cmocka_unit_test(none),
		cmocka_unit_test(streams_end_together),
		cmocka_unit_test(a_stream_ends_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
