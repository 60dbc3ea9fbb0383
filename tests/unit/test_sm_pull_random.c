/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of several SMs under random interleavings of their accesses to shared words, with runs, recalls, ranges that
 * come back and go out again, and SMs that are lost: each item is done exactly once. GANGER_SEED repeats a run, or
 * with GANGER_CASES=1 a single case.
 * sources: firmware/sm/pull/pull.c firmware/sm/pull/hand.c firmware/sm/pull/run.c firmware/sm/position.c firmware/sm/report.c firmware/sm/wave.c firmware/sm/cga/absent.c firmware/sm/units.c
 *          firmware/sm/bell.c firmware/sm/schedule.c
 *          firmware/pull/chunk.c firmware/pull/work_queue.c firmware/pull/local_queue.c
 *          tests/unit/fake_streams.c tests/unit/pull_fibers.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_streams.h"
#include "tests/unit/pull_fibers.h"

#define CASES 2000u
#define SEED  20260517u
#define UNITS 4u      /* streams of an SM, at most */
#define STEPS 500000u /* a case that takes longer hangs */

/* Items in succession. */
struct task_range {
	uint64_t first, items;
};

/* What the CP knows. */
static struct {
	uint32_t packet[STREAMS_SMS][4]; /* mail to an SM: starts, first, items, more */
	uint32_t busy[STREAMS_SMS];      /* streams of an SM, as starts */
	struct task_range ranges[STREAMS_ITEMS];
	uint32_t count;  /* of ranges */
	uint64_t done;   /* CTAs reported, or found to be done by lost SMs */
	uint32_t items;  /* of the grid */
	uint32_t buried; /* SMs that it knows to be lost */
	uint32_t recalls, backs, deaths, again, long_runs;
} cp;

static void unit_body(uint32_t sm)
{
	while (cp.done < cp.items) {
		uint32_t *packet = cp.packet[sm];

		fibers_step();
		if (packet[0] != 0) {
			const uint32_t starts = packet[0];

			streams_send(sm, starts, packet[1], packet[2], packet[3] != 0);
			packet[0] = 0;
		}
		for (uint32_t unit = 0; unit < UNITS; unit++) {
			struct sm_cta *cta = &streams.sm[sm].ctas[unit];

			if (cta->state == SM_CTA_STARTED && random_below(4) == 0) {
				streams_trap(sm, unit, (uint32_t)random_below(4));
			} else if (cta->state == SM_CTA_STARTED && random_below(2) == 0) {
				cp.long_runs += cta->run > 1;
				streams_end(sm, unit, GG_OK);
			} else if (cta->state == SM_CTA_STREAM && random_below(2) == 0) {
				(void)streams_begin(sm, unit);
			}
		}
	}
}

static void keep(uint64_t first, uint64_t items)
{
	if (items != 0) {
		cp.ranges[cp.count++] = (struct task_range){ first, items };
	}
}

static uint32_t rest_of(const struct gg_report *report)
{
	return gg_get(report->pull_rest, GG_REPORT_PULL_REST);
}

static void read_reports(uint32_t sm)
{
	const struct gg_report *report;

	while ((report = streams_report(sm)) != NULL) {
		cp.done += report->pull_ctas;
		cp.busy[sm] &= ~report->starts;
		cp.backs += rest_of(report) != 0;
		keep(gg_join(report->cta_lo, report->cta_hi), rest_of(report));
		assert_true(cp.busy[sm] != 0 ||
			    gg_get(report->pull_rest, GG_REPORT_PULL_LAST) != 0);
	}
}

/* What it had is what its block says; a packet that it did not read, too. What it did and did not report is what
 * the counts of the items say: the CP counts what it issues again against that. */
static void bury(uint32_t sm)
{
	uint64_t items[STREAMS_ITEMS];
	const struct sm_task *task = &streams.sm[sm].tasks[STREAMS_SLOT];
	uint32_t count;

	read_reports(sm);
	count = streams_uncompleted(sm, cp.busy[sm], items);
	for (uint32_t at = 0; at < count; at++) {
		keep(items[at], 1);
	}
	if (cp.packet[sm][0] != 0) {
		keep(cp.packet[sm][1], cp.packet[sm][2]);
	}
	cp.again += count;
	cp.done += task->gathered.ctas;
	cp.busy[sm] = 0;
	cp.buried |= 1u << sm;
	cp.deaths++;
	streams_approve(sm, false);
}

static void send(uint32_t sm)
{
	const uint32_t starts = (uint32_t)random_below(1u << UNITS) & ~cp.busy[sm];
	uint32_t *packet = cp.packet[sm];

	if (starts == 0 || packet[0] != 0 ||
	    (cp.busy[sm] != 0 && work_remaining(streams_entry()) == 0)) {
		return;
	}
	packet[1] = 0;
	packet[2] = 0;
	packet[3] = random_below(4) != 0;
	if (cp.busy[sm] == 0 && cp.count != 0) {
		struct task_range *range = &cp.ranges[cp.count - 1];
		const uint32_t items = 1 + (uint32_t)random_below(range->items);

		packet[1] = (uint32_t)range->first;
		packet[2] = items;
		range->first += items;
		range->items -= items;
		cp.count -= range->items == 0;
	}
	streams_approve(sm, true);
	cp.busy[sm] |= starts;
	packet[0] = starts;
}

static void cp_body(void)
{
	while (cp.done < cp.items) {
		fibers_step();
		for (uint32_t sm = 0; sm < STREAMS_SMS; sm++) {
			if ((cp.buried >> sm & 1u) != 0) {
				continue;
			}
			read_reports(sm);
			if (fibers_dead(sm)) {
				bury(sm);
			} else if (random_below(30) == 0) {
				streams_approve(sm, false);
				cp.recalls++;
			} else if (random_below(8) == 0) {
				send(sm);
			}
		}
	}
}

static void body(uint32_t fiber)
{
	if (fiber == STREAMS_SMS) {
		cp_body();
	} else {
		unit_body(fiber);
	}
}

/* Far SMs do not die, because what an SM takes while it fetches is recorded nowhere. */
static void run_case(uint64_t seed)
{
	const uint32_t kept[] = { cp.recalls, cp.backs, cp.deaths, cp.again, cp.long_runs };
	uint32_t near;

	random_seed(seed);
	near = (uint32_t)random_below(STREAMS_SMS + 1);
	memset(&cp, 0, sizeof(cp));
	cp.recalls = kept[0];
	cp.backs = kept[1];
	cp.deaths = kept[2];
	cp.again = kept[3];
	cp.long_runs = kept[4];
	cp.items = 1 + (uint32_t)random_below(600);
	streams_init(near);
	if (random_below(2) == 0) {
		streams_flat();
		streams.goes_on = random_below(4) != 0;
	}
	streams_place(0, cp.items, (uint32_t)random_below(2) * (1 + (uint32_t)random_below(20)));
	fibers_make(STREAMS_SMS + 1, body);
	for (uint32_t sm = 1; sm < near; sm++) {
		fibers_speed(sm, 1 + (uint32_t)random_below(256));
		if (random_below(4) == 0) {
			fibers_die_after(sm, random_below(200));
		}
	}
	if (!fibers_run(STEPS)) {
		fail_msg("GANGER_SEED=%llu GANGER_CASES=1: it does not end",
			 (unsigned long long)seed);
	}
	for (uint32_t item = 0; item < STREAMS_ITEMS; item++) {
		if (streams.runs[item] != (item < cp.items)) {
			fail_msg("GANGER_SEED=%llu GANGER_CASES=1: item %u ran %u times",
				 (unsigned long long)seed, item, streams.runs[item]);
		}
	}
	assert_int_equal(cp.done, cp.items);
}

/* S4-R16, S4-R45…R49, S4-R74, S4-R112, S4-R116, S4-V8, S0-R13. */
static void each_item_once(void **state)
{
	const char *seed_text = getenv("GANGER_SEED"), *cases_text = getenv("GANGER_CASES");
	const uint64_t seed = seed_text != NULL ? strtoull(seed_text, NULL, 0) : SEED;
	const uint64_t cases = cases_text != NULL ? strtoull(cases_text, NULL, 0) : CASES;

	(void)state;
	for (uint64_t at = 0; at < cases; at++) {
		run_case(seed + at);
	}
	printf("seed %llu: %u recalls, %u ranges back, %u SMs lost, %u items again, %u runs\n",
	       (unsigned long long)seed, cp.recalls, cp.backs, cp.deaths, cp.again, cp.long_runs);
	/* The cases do what they are for. */
	assert_true(cases < CASES ||
		    (cp.backs > 1000 && cp.deaths > 100 && cp.again > 100 && cp.long_runs > 1000));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_item_once) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
