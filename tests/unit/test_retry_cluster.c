/* SPDX-License-Identifier: Apache-2.0 */
/* CGAs that run again because SMs of theirs were lost: `retry_limit`.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_cga.c tests/unit/fake_loss.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/cga/cga_record.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/task/retry.h"
#include "firmware/cp/wave/wave.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_loss.h"
#include "tests/unit/fake_run.h"

#define SMS  8u
#define MOST 64u
#define TAGS 2000u

static uint8_t ends[TAGS][MOST]; /* by tag and CTA: how often it has ended well */

static void begin(bool atomics)
{
	fake_device_init(SMS);
	device.cap->features = atomics ? 1u << GG_FEATURE_ATOMICS : 0;
	memset(ends, 0, sizeof(ends));
}

/* CGAs anywhere in the device. */
static struct gg_tmd cgas(uint32_t count, uint32_t ctas, uint32_t limit)
{
	struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, count, ctas);

	tmd.retry_limit = limit;
	return tmd;
}

/* A CTA ends well, and is counted. */
static void end(uint32_t index)
{
	ends[fake_tag(index)][fake_ctas[index].cta]++;
	fake_end(index, GG_OK);
}

static void end_position(uint32_t tag, uint64_t position)
{
	end(fake_at_position(tag, position));
	fake_settle(100);
}

/* All that runs ends, but what is to stop is stopped first. */
static void end_all(void)
{
	fake_stop_all();
	fake_cga_check();
	while (fake_cta_count != 0) {
		while (fake_cta_count != 0) {
			end(fake_cta_count - 1);
		}
		fake_settle(1000);
		fake_take_all();
	}
}

static void at_rest(void)
{
	fake_loss_at_rest();
	fake_cga_expect_none();
}

/* What is to stop has stopped; so many CTAs run, and the CGAs that run again are among them. */
static void runs(uint32_t ctas)
{
	fake_stop_all();
	fake_cga_check();
	assert_int_equal(fake_cta_count, ctas);
}

/* All of task 1 ends well, and so many of its CTAs ran again. */
static void ends_well(uint32_t ctas, uint32_t retried)
{
	end_all();
	fake_expect_retried(1, ctas, retried);
}

static uint32_t sm_of(uint32_t tag, uint64_t position)
{
	return fake_ctas[fake_at_position(tag, position)].sm;
}

/* Bit c: CGA c of a task has a CTA on an SM. */
static uint32_t on_sm(uint32_t sm, uint32_t ctas)
{
	uint32_t found = 0;

	for (uint32_t index = 0; index < fake_cta_count; index++) {
		found |= fake_ctas[index].sm == sm ? 1u << fake_ctas[index].cta / ctas : 0;
	}
	return found;
}

static uint32_t sequence_of(uint32_t tag, uint64_t position)
{
	return fake_member(fake_at_position(tag, position))->sequence;
}

/* Each CGA that had a CTA on the SM is stopped and runs again as a whole, elsewhere; the others are not touched. */
static void runs_again(void **state)
{
	const struct gg_tmd tmd = cgas(8, 5, 1);

	(void)state;
	for (uint32_t atomics = 0; atomics < 2; atomics++) {
		uint32_t sequences[8];

		begin(atomics != 0);
		fake_run(1, &tmd);
		fake_cga_check();
		assert_int_equal(fake_cta_count, 40);
		for (uint32_t cga = 0; cga < 8; cga++) {
			sequences[cga] = sequence_of(1, cga * 5);
		}
		const uint32_t victims = on_sm(5, 5);

		assert_true(bits_count(victims) > 1 && bits_count(victims) < 8);
		fake_lose(5);
		fake_take_all();
		assert_true(fake_cta_count < 40); /* none is issued before the others are stopped */
		runs(40);
		assert_int_equal(on_sm(5, 5), 0);
		for (uint32_t cga = 0; cga < 8; cga++) {
			assert_int_equal(sequence_of(1, cga * 5) != sequences[cga],
					 victims >> cga & 1u);
		}
		ends_well(40, 5 * bits_count(victims));
		for (uint32_t cta = 0; cta < 40; cta++) {
			assert_int_equal(ends[1][cta], 1);
		}
		at_rest();
	}
}

/* Nothing of a CGA is issued before its last CTA has ended; those that ended well before the loss, or between it and the
 * stop, are counted once, and run twice. */
static void some_had_ended(void **state)
{
	const struct gg_tmd tmd = cgas(1, 12, 1);

	(void)state;
	for (uint32_t atomics = 0; atomics < 2; atomics++) {
		begin(atomics != 0);
		fake_run(1, &tmd);
		fake_cga_check();
		const uint32_t lost = sm_of(1, 0);
		uint32_t twice[12] = { 0 };

		for (uint32_t cta = 0, count = 0; cta < 12; cta++) {
			if (sm_of(1, cta) != lost) {
				twice[cta] = ++count < 4;
			}
		}
		uint32_t before = 1;

		for (uint32_t cta = 0; cta < 12; cta++) {
			if (twice[cta] != 0) {
				end_position(1, cta);
				if (before-- == 1) {
					fake_lose(lost);
				}
			}
		}
		fake_look();
		fake_settle(100);
		fake_take_all();
		assert_int_equal(cga_record_live(), 1);
		runs(12);
		ends_well(12, 12);
		for (uint32_t cta = 0; cta < 12; cta++) {
			assert_int_equal(ends[1][cta], 1 + twice[cta]);
		}
		at_rest();
	}
}

/* The only CGA of a task is a closed wave, in which SMs have counted themselves already. */
static void as_a_wave(void **state)
{
	const struct gg_tmd tmd = cgas(1, SMS, 1);

	(void)state;
	begin(true);
	fake_run(1, &tmd);
	fake_take_all();
	assert_int_equal(wave_slots, 1);
	for (uint32_t cta = 0; cta < SMS; cta++) {
		if (sm_of(1, cta) < 3) {
			end(fake_at_position(1, cta));
		}
	}
	fake_lose(5);
	fake_look();
	fake_settle(100);
	runs(SMS);
	ends_well(SMS, SMS);
	at_rest();
}

/* SMs without A: those that wait at the barrier of the old CGA do not go on, and are not met by CTAs of the new one, which
 * wait for each other. */
static void barriers(void **state)
{
	const struct gg_tmd tmd = cgas(1, SMS, 2);

	(void)state;
	begin(false);
	fake_run(1, &tmd);
	fake_cga_check();
	for (uint32_t cta = 1; cta < SMS; cta++) {
		fake_come(1, cta, 0);
	}
	fake_lose(sm_of(1, 0));
	for (uint32_t cta = 1; cta < SMS; cta++) {
		assert_true(fake_waits(1, cta, 0));
	}
	runs(SMS);
	for (uint32_t cta = 0; cta < SMS; cta++) {
		assert_false(fake_waits(1, cta, 0));
	}
	for (uint32_t cta = 0; cta < SMS; cta++) {
		fake_come(1, cta, 0);
		assert_int_equal(fake_waits(1, 0, 0), cta != SMS - 1);
	}
	ends_well(SMS, SMS);
	at_rest();
}

/* SMs with A: the word in which the new CGA is counted is its own, and begins anew. */
static void barrier_words(void **state)
{
	const struct gg_tmd tmd = cgas(2, SMS, 2);

	(void)state;
	begin(true);
	fake_run(1, &tmd);
	fake_cga_check();
	const uint32_t index = fake_at_position(1, 0);
	const uint32_t sm = fake_ctas[index].sm, unit = bits_lowest(fake_ctas[index].start);

	device.clusters[sm].barriers[unit] |= GG_CLUSTER_BROKEN;
	fake_lose(sm_of(1, SMS - 1));
	runs(2 * SMS);
	for (uint32_t cga = 0; cga < 2; cga++) {
		const struct fake_cta *cta = &fake_ctas[fake_at_position(1, cga * SMS)];

		assert_int_equal(device.clusters[cta->sm].barriers[bits_lowest(cta->start)],
				 GG_CLUSTER_COUNTED | gg_put(GG_CLUSTER_RUNNING, SMS) |
					 gg_put(GG_CLUSTER_MISSING, SMS));
	}
	ends_well(2 * SMS, 2 * SMS);
	at_rest();
}

/* A second SM is lost before the CTAs elsewhere have stopped: that is the same loss. */
static void two_at_once(void **state)
{
	const struct gg_tmd tmd = cgas(1, SMS, 1);

	(void)state;
	begin(false);
	fake_run(1, &tmd);
	fake_cga_check();
	fake_lose(2);
	fake_lose(6);
	runs(SMS);
	ends_well(SMS, SMS);
	at_rest();
}

/* All CTAs of a CGA are lost with one SM: nothing is left to stop. */
static void all_at_once(void **state)
{
	const struct gg_tmd tmd = cgas(1, 4, 1);

	(void)state;
	begin(false);
	fake_device_init(1);
	fake_run(1, &tmd);
	fake_take_all();
	fake_revive(0);
	fake_take_all();
	assert_int_equal(fake_cta_count, 4);
	ends_well(4, 4);
	at_rest();
}

/* A CGA runs again as often as its limit says. */
static void limit(void **state)
{
	(void)state;
	for (uint32_t limit = 1; limit <= RETRY_MOST; limit += 7) {
		const struct gg_tmd tmd = cgas(1, SMS, limit);

		begin(false);
		fake_run(1, &tmd);
		for (uint32_t times = 0; times < limit; times++) {
			fake_take_all();
			fake_revive(sm_of(1, times % SMS)); /* the host asked for it */
			fake_stop_all();
		}
		fake_expect_none();
		fake_take_all();
		assert_int_equal(fake_cta_count, SMS);
		fake_lose(sm_of(1, 0));
		fake_expect_error(1, GG_ERR_SM_LOST, GG_FIELD_TMD_RETRY_LIMIT, limit);
		at_rest();
	}
}

/* Without a limit a lost CTA ends its task, as ever. */
static void not_asked(void **state)
{
	const struct gg_tmd tmd = cgas(4, 4, 0);

	(void)state;
	begin(false);
	fake_run(1, &tmd);
	fake_take_all();
	fake_lose(3);
	fake_expect_error(1, GG_ERR_SM_LOST, 0, 0);
	at_rest();
}

/* A CGA with CTAs on two SMs that were lost ends its task; one that stood beside it goes on, and so does one whose CTAs were
 * only stopped. */
static void guilty(void **state)
{
	struct gg_tmd bad = cgas(1, 4, RETRY_MOST), beside = cgas(4, 4, RETRY_MOST);

	(void)state;
	begin(false);
	bad.entry_lo += 8;
	fake_run(1, &bad);
	fake_run(2, &beside);
	fake_cga_check();
	fake_lose(sm_of(1, 0));
	fake_stop_all();
	fake_expect_none();
	fake_cga_check();
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		if (fake_tag(index) == 2) {
			end(index);
		}
	}
	fake_settle(100);
	assert_int_equal(fake_expect(2, GG_OK).ctas_lo, 16);
	fake_lose(sm_of(1, 1));
	fake_expect_error(1, GG_ERR_QUARANTINE, GG_FIELD_TMD_ENTRY, bad.entry_lo);
	at_rest();
}

/* A task is cancelled, or fails, while CTAs of its CGA are being stopped; and one fails if there is no place to keep a CGA. */
static void ends_meanwhile(void **state)
{
	const struct gg_tmd tmd = cgas(1, SMS, 2);
	uint64_t address;

	(void)state;
	begin(false);
	address = fake_run(1, &tmd);
	fake_cga_check();
	fake_lose(3);
	assert_int_equal(range_free(), CP_RANGES - 1);
	fake_name(7, GG_OPCODE_CANCEL, address);
	fake_expect(7, GG_OK);
	fake_expect_error(1, GG_ERR_CANCELLED, 0, 0);
	at_rest();
	fake_run(2, &tmd);
	fake_cga_check();
	fake_lose(sm_of(2, 0));
	fake_end(fake_at_position(2, SMS - 1), GG_ERR_ABORTED);
	fake_settle(100);
	fake_expect_error(2, GG_ERR_ABORTED, 0, 0);
	at_rest();
	fake_run(3, &tmd);
	fake_cga_check();
	assert_true(range_reserve(CP_RANGES));
	fake_lose(sm_of(3, 0));
	range_unreserve(CP_RANGES);
	fake_expect_error(3, GG_ERR_SM_LOST, 0, 0);
	at_rest();
}

/* A request is made each time, whatever the SM was asked before. */
static void asked_again(void **state)
{
	const struct gg_tmd tmd = cgas(2, SMS, RETRY_MOST);

	(void)state;
	begin(false);
	fake_run(1, &tmd);
	for (uint32_t times = 0; times < 4; times++) {
		fake_cga_check();
		fake_revive(times);
		runs(2 * SMS);
	}
	end_all();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 2 * SMS);
	at_rest();
}

/* A task that is suspended meanwhile runs its CGA when it is resumed. */
static void suspended(void **state)
{
	const struct gg_tmd tmd = cgas(1, 4, 1);
	uint64_t address;

	(void)state;
	begin(false);
	address = fake_run(1, &tmd);
	fake_take_all();
	fake_name(7, GG_OPCODE_SUSPEND, address);
	fake_expect(7, GG_OK);
	fake_lose(sm_of(1, 0));
	fake_stop_all();
	assert_int_equal(fake_take_all(), 0);
	fake_expect_none();
	fake_name(7, GG_OPCODE_RESUME, address);
	fake_expect(7, GG_OK);
	fake_cga_check();
	assert_int_equal(fake_cta_count, 4);
	ends_well(4, 4);
	at_rest();
}

/* One CGA at a time, and a launch quota. */
static void under_rules(void **state)
{
	struct gg_tmd sequential = cgas(3, 4, 2), small = cgas(6, 2, 2);

	(void)state;
	begin(false);
	sequential.header |= GG_TMD_SEQUENTIAL;
	small.header |= GG_TMD_QUOTA_ENABLE;
	small.quota = 4;
	fake_run(1, &sequential);
	fake_run(2, &small);
	for (uint32_t sm = 0; sm < 3; sm++) {
		fake_cga_check();
		fake_revive(sm);
		fake_stop_all();
		fake_take_all();
		assert_true(fake_count(1) <= 4);
	}
	end_all();
	for (uint32_t count = 0; count < 2; count++) {
		struct gg_completion done;

		assert_true(fake_completion(&done));
		assert_int_equal(done.status, GG_OK);
		assert_int_equal(done.ctas_lo, 12);
		assert_true(done.retried != 0);
	}
	for (uint32_t cta = 0; cta < 12; cta++) {
		assert_int_equal(ends[1][cta], 1);
		assert_int_equal(ends[2][cta], 1);
	}
	at_rest();
}

/* CGAs made of CGAs are refused. */
static void refused(void **state)
{
	struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 2, 2);
	struct gg_completion done;

	(void)state;
	begin(false);
	tmd = fake_cga_outer(tmd, GG_DOMAIN_GPU, 2);
	tmd.retry_limit = 1;
	fake_run(1, &tmd);
	done = fake_expect(1, GG_ERR_UNSUPPORTED);
	assert_int_equal(done.field, GG_FIELD_TMD_RETRY_LIMIT);
	assert_int_equal(done.value_lo, 1);
	at_rest();
}

/* What a storm has seen. */
static struct {
	uint32_t tag;         /* of the next task */
	uint32_t over;        /* tasks that are over */
	uint32_t lost;        /* resets of SMs */
	uint64_t rest;        /* CTAs that ran again and had not ended before */
	uint32_t sizes[TAGS]; /* CTAs of each task */
} seen;

static void storm_submit(uint32_t which)
{
	const uint32_t size = 1 + which % 9;
	struct gg_tmd tmd = which % 4 == 0 ? fake_tmd(size * 5) : cgas(1 + which / 9 % 5, size, 0);

	tmd.retry_limit = RETRY_MOST;
	tmd = fake_with_priority(tmd, 1 + which % 9);
	seen.sizes[seen.tag] = tmd.grid_x;
	fake_submit(0, seen.tag++, &tmd);
}

/* No CTA has ended more often than it may. */
static void storm_completions(void)
{
	struct gg_completion done;

	while (fake_completion(&done)) {
		if (done.tag == FAKE_RESET) {
			continue;
		}
		assert_int_equal(done.status, GG_OK);
		assert_int_equal(done.ctas_lo, seen.sizes[done.tag]);
		for (uint32_t cta = 0; cta < seen.sizes[done.tag]; cta++) {
			assert_true(ends[done.tag][cta] >= 1);
			done.retried -= ends[done.tag][cta] - 1u;
		}
		assert_true(done.retried <= RETRY_MOST * seen.sizes[done.tag]);
		seen.rest += done.retried;
		seen.over++;
	}
}

static void storm_step(uint32_t step, uint32_t seed)
{
	const uint32_t what = seed >> 16 & 31u, which = seed >> 21;

	if (what < 2 && step < 4000 && seen.tag < TAGS) {
		storm_submit(which);
	} else if (what == 2 && (step & 7) == 0) {
		seen.lost += fake_reset(which % SMS) ? 1 : 0;
	} else if (what == 3) {
		fake_stop_all();
	} else if (what < 9) {
		(void)fake_take_packets(which % SMS);
	} else if (fake_cta_count != 0) {
		end(which % fake_cta_count);
	}
	fake_look();
	fake_settle(1000);
	storm_completions();
}

/* CGAs, grids and lost SMs at random, with and without A: all CTAs of all tasks end, and SMs act on requests early or late. */
static void storm(void **state)
{
	(void)state;
	for (uint32_t run = 0; run < 6; run++) {
		uint32_t seed = 7 + run;

		begin(run % 2 != 0);
		memset(&seen, 0, sizeof(seen));
		for (uint32_t step = 0; step < 4000 || seen.over < seen.tag; step++) {
			assert_true(step < 100000);
			seed = seed * 1103515245u + 12345u;
			storm_step(step, seed);
		}
		assert_true(seen.lost > 10 && seen.rest > 20);
		at_rest();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_again),     cmocka_unit_test(some_had_ended),
		cmocka_unit_test(as_a_wave),      cmocka_unit_test(barriers),
		cmocka_unit_test(barrier_words),  cmocka_unit_test(two_at_once),
		cmocka_unit_test(all_at_once),    cmocka_unit_test(limit),
		cmocka_unit_test(not_asked),      cmocka_unit_test(guilty),
		cmocka_unit_test(ends_meanwhile), cmocka_unit_test(asked_again),
		cmocka_unit_test(suspended),      cmocka_unit_test(under_rules),
		cmocka_unit_test(refused),        cmocka_unit_test(storm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
