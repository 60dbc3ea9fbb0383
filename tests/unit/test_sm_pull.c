/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of PULL grids, as an SM runs them.
 * sources: firmware/sm/pull/pull.c firmware/sm/pull/hand.c firmware/sm/pull/run.c firmware/sm/position.c firmware/sm/report.c firmware/sm/wave.c firmware/sm/cga/absent.c firmware/sm/units.c
 *          firmware/sm/bell.c firmware/sm/schedule.c
 *          firmware/pull/chunk.c firmware/pull/work_queue.c firmware/pull/local_queue.c
 *          tests/unit/fake_streams.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_streams.h"

#define REST(report) gg_get((report)->pull_rest, GG_REPORT_PULL_REST)
#define LAST(report) gg_get((report)->pull_rest, GG_REPORT_PULL_LAST)

/* S4-R16, S4-R43, S4-R45…R48: streams run all there is, one report for all of them. */
static void all_items_one_report(void **state)
{
	const struct gg_report *report;

	(void)state;
	streams_init(STREAMS_SMS);
	streams_place(5, 1000, 0);
	streams_send(2, 0x17, 5, 0, true);
	assert_int_equal(streams_run(2), 1000);
	streams_expect_runs(5, 1000);
	report = streams_report(2);
	assert_int_equal(report->task, STREAMS_NAME);
	assert_int_equal(report->starts, 0x17);
	assert_int_equal(report->status, GG_OK);
	assert_int_equal(report->pull_ctas, 1000);
	assert_int_equal(REST(report), 0);
	assert_int_equal(LAST(report), 1);
	assert_null(streams_report(2));
	assert_int_equal(work_remaining(streams_entry()), 0);
}

/* S4-R106: x, y and z of an item; its number in one sequence when the grid has a range (S4-R95). */
static void positions(void **state)
{
	const struct sm_cta *cta = &streams.sm[0].ctas[0];

	(void)state;
	for (uint32_t ranged = 0; ranged < 2; ranged++) {
		streams_init(STREAMS_SMS);
		streams.tmd.queue_lo = ranged * 4096;
		streams_prime(0);
		streams_place(0, 4096, 0);
		streams_send(0, 1, 0, 0, true);
		for (uint32_t item = 0; streams_begin(0, 0); item++) {
			assert_int_equal(cta->launch, item);
			assert_int_equal(cta->linear, item);
			assert_int_equal(cta->position[0], ranged ? item : item % 16);
			assert_int_equal(cta->position[1], ranged ? 0 : item / 16 % 16);
			assert_int_equal(cta->position[2], ranged ? 0 : item / 256);
			streams_end(0, 0, GG_OK);
		}
	}
	streams_init(STREAMS_SMS);
	streams.tmd.queue_lo = 4096;
	streams_prime(0);
	streams_place(0x123456789ab, 1, 0);
	streams_send(0, 1, 0, 0, true);
	assert_true(streams_begin(0, 0));
	assert_int_equal(cta->linear, 0x123456789ab);
	assert_int_equal(cta->position[0], 0x456789ab);
}

/* S4-R16: a stream that finds nothing ends without a CTA, and nothing is counted. */
static void an_empty_stream(void **state)
{
	(void)state;
	streams_init(STREAMS_SMS);
	streams_place(0, 1, 0);
	streams_send(1, 3, 0, 0, true);
	assert_int_equal(streams_run(1), 1);
	streams_send(0, 8, 0, 0, true);
	assert_int_equal(streams_run(0), 0);

	const struct gg_report *report = streams_report(0);

	assert_int_equal(report->starts, 8);
	assert_int_equal(report->status, GG_OK);
	assert_int_equal(report->pull_ctas, 0);
	assert_int_equal(LAST(report), 1);
	assert_int_equal(REST(report), 0);
	assert_int_equal(streams_report(1)->pull_ctas, 1);
}

/* S0-R13, S4-R22: without its bit an SM ends its streams after their CTAs and gives the rest back; what is
 * given with a packet comes first, without a look at the entry. */
static void recall_and_rest(void **state)
{
	const struct gg_report *report;

	(void)state;
	streams_init(STREAMS_SMS);
	streams_place(0, 100, 20);
	streams_send(0, 3, 0, 0, true);
	assert_true(streams_begin(0, 0));
	assert_true(streams_begin(0, 1));
	streams_end(0, 0, GG_OK);
	assert_true(streams_begin(0, 0));
	streams_approve(0, false);
	streams_end(0, 0, GG_OK);
	assert_false(streams_begin(0, 0));
	assert_null(streams_report(0)); /* the other one still runs */
	streams_end(0, 1, GG_OK);
	assert_false(streams_begin(0, 1));
	report = streams_report(0);
	assert_int_equal(report->starts, 3);
	assert_int_equal(report->pull_ctas, 3);
	assert_int_equal(REST(report), 17);
	assert_int_equal(report->cta_lo, 3);
	assert_int_equal(LAST(report), 1);
	assert_int_equal(streams_hand(0)->left, 0);

	streams_approve(0, true);
	streams_send(0, 4, 3, 17, false);
	assert_int_equal(streams_hand(0)->left, 17);
	assert_int_equal(streams_run(0), 17);
	streams_expect_runs(0, 20);
	assert_int_equal(LAST(streams_report(0)), 1);
	assert_int_equal(work_remaining(streams_entry()), 80);
}

/* Items that come with a packet are followed by more; one that comes while something is in hand is that stream's
 * own, and a stream without pull_more takes nothing of what the SM took itself. */
static void items_of_packets(void **state)
{
	(void)state;
	streams_init(STREAMS_SMS);
	streams_place(50, 50, 10);
	streams_send(0, 1, 40, 10, true);
	assert_int_equal(streams_run(0), 60);
	streams_expect_runs(40, 60);
	assert_int_equal(streams_hand(0)->history.chunks, 5);

	streams_init(STREAMS_SMS);
	streams_place(50, 50, 10);
	streams_send(0, 1, 0, 0, true);
	assert_true(streams_begin(0, 0));
	streams_send(0, 2, 7, 1, false);
	assert_true(streams_begin(0, 1));
	assert_int_equal(streams.sm[0].ctas[1].launch, 7);
	streams_end(0, 1, GG_OK);
	assert_false(streams_begin(0, 1));
	assert_int_equal(streams_hand(0)->left, 9);
	streams_end(0, 0, GG_OK);
	assert_int_equal(streams_run(0), 49);
	assert_int_equal(streams_report(0)->pull_ctas, 51);
}

/* A failed CTA ends all streams after their CTAs; those that ended well are reported apart. */
static void a_failure(void **state)
{
	const struct gg_report *report;

	(void)state;
	streams_init(STREAMS_SMS);
	streams_place(0, 100, 10);
	streams_send(0, 7, 0, 0, true);
	assert_true(streams_begin(0, 0));
	assert_true(streams_begin(0, 1));
	streams_end(0, 0, GG_OK);
	streams_end(0, 1, GG_ERR_ABORTED);
	report = streams_report(0);
	assert_int_equal(report->starts, 2);
	assert_int_equal((int32_t)report->status, GG_ERR_ABORTED);
	assert_int_equal(report->pull_ctas, 1);
	assert_int_equal(LAST(report), 0);
	assert_int_equal(streams_run(0), 0);
	report = streams_report(0);
	assert_int_equal(report->starts, 5);
	assert_int_equal(REST(report), 8);
	assert_int_equal(report->cta_lo, 2);
	assert_int_equal(LAST(report), 1);
}

/* Those that ended are reported at once when others run for longer than a time slice, not before. */
static void long_ctas(void **state)
{
	const struct gg_report *report;

	(void)state;
	streams_init(STREAMS_SMS);
	streams_place(0, 1, 0);
	streams_send(0, 3, 0, 0, true);
	assert_true(streams_begin(0, 0));
	assert_false(streams_begin(0, 1));
	streams.sm[0].now += 999;
	report_flush(&streams.sm[0]);
	assert_null(streams_report(0));
	streams.sm[0].now++;
	report_flush(&streams.sm[0]);
	report = streams_report(0);
	assert_int_equal(report->starts, 2);
	assert_int_equal(report->pull_ctas, 0);
	assert_int_equal(LAST(report), 0);
	streams_end(0, 0, GG_OK);
	assert_false(streams_begin(0, 0));
	report = streams_report(0);
	assert_int_equal(report->starts, 1);
	assert_int_equal(report->pull_ctas, 1);
	assert_int_equal(LAST(report), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_items_one_report),
		cmocka_unit_test(positions),
		cmocka_unit_test(an_empty_stream),
		cmocka_unit_test(recall_and_rest),
		cmocka_unit_test(items_of_packets),
		cmocka_unit_test(a_failure),
		cmocka_unit_test(long_ctas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
