/* SPDX-License-Identifier: Apache-2.0 */
/* The short way of small tasks, of which one after the other comes: what it does is what the long way does.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_short.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/collect/inbox.h"
#include "firmware/cp/express/express.h"
#include "firmware/cp/sms/offer.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/trace.h"
#include "firmware/cp/wave/wave.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"
#include "tests/unit/fake_short.h"

#define ROUNDS 6u
#define SMS    8u
#define GRID   100u
#define FULL   8u  /* CTAs of an SM */
#define BATCH  20u /* tasks: more than there are SMs, and more than a turn takes */

static struct gg_packet packets[2][ROUNDS];
static struct gg_completion completions[2][ROUNDS];
static uint32_t rings[2][ROUNDS];

/* One task after the other, each with a tag, channel and interrupt of its own. */
static void run_all(bool express)
{
	struct gg_tmd tmd = fake_tmd(1);

	fake_device_init(2);
	express_switch(express);
	tmd.time_limit_us = 9;

	const uint64_t address = fake_put_tmd(&tmd);

	for (uint32_t round = 0; round < ROUNDS; round++) {
		const uint32_t quiet = round % 2 != 0 ? GG_COMMAND_NO_INTERRUPT : 0;

		fake_post(round, (struct gg_command){ .header = GG_OPCODE_SUBMIT | quiet,
						      .tag = 100 + round,
						      .address_lo = gg_low(address) });
		assert_int_equal(fake_take_all(), 1);

		const struct launch_rings *rings_of = &device.launch[fake_ctas[0].sm];
		const uint32_t last = rings_of->header.launch_put - 1;

		packets[express][round] = rings_of->packets[last % CP_LAUNCH_ENTRIES];
		fake_end_all();
		assert_true(fake_completion(&completions[express][round]));
		fake_expect_none();
		rings[express][round] = fake_hal.host_rings;
	}
	express_switch(true);
}

/* Packets, completions and interrupts are the same on both ways, but for the times. */
static void both_ways_do_the_same(void **state)
{
	(void)state;
	run_all(false);
	run_all(true);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		const struct gg_completion *done = &completions[1][round];
		const struct gg_completion *other = &completions[0][round];

		assert_memory_equal(&packets[0][round], &packets[1][round], sizeof(packets[0][0]));
		assert_int_equal(packets[1][round].queue_position, 0);
		assert_int_equal(done->tag, 100 + round);
		assert_int_equal(done->status, GG_OK);
		assert_int_equal(done->source, other->source);
		assert_int_equal(gg_get(done->source, GG_COMPLETION_CHANNEL), round);
		assert_int_equal(done->ctas_lo, 1);
		assert_int_equal(done->packets, other->packets);
		assert_int_equal(done->retried, 0);
		assert_memory_equal(done->not_issued, other->not_issued, sizeof(done->not_issued));
		assert_true(done->posted_lo <= done->ready_lo && done->ready_lo < done->done_lo);
		assert_int_equal(rings[1][round], rings[0][round]);
		assert_int_equal(rings[1][round], round / 2 + 1);
	}
}

/* A task that a fence waits for, and what it leaves behind, is no business of the next one in its place. */
static void nothing_is_left_behind(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	fake_device_init(1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		fake_submit(0, 1, &tmd);
		fake_settle(100);
		fake_post(0, (struct gg_command){ .header = GG_OPCODE_FENCE, .tag = 2 });
		assert_int_equal(fake_take_all(), 1);
		fake_expect_none();
		fake_end_all();
		fake_expect(1, GG_OK);
		fake_expect(2, GG_OK);
		fake_expect_none();
	}
}

/* Where the CTAs of tasks go that the host posts at once, and in which order they end, in the third round: no TMD and no
 * place of the pool is new then. */
static void run_batch(bool express, struct fake_cta *ctas, uint32_t *tags)
{
	struct gg_tmd tmd = fake_tmd(1);
	struct gg_completion done;

	fake_device_init(3);
	express_switch(express);
	tmd.shared_bytes = 5000; /* three units of 2,048 */

	const uint64_t address = fake_put_tmd(&tmd);

	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t tag = 0; tag < BATCH; tag++) {
			fake_post(0, (struct gg_command){ .header = GG_OPCODE_SUBMIT,
							  .tag = tag,
							  .address_lo = gg_low(address) });
		}
		assert_int_equal(fake_take_all(), BATCH);
		for (uint32_t index = 0; index < BATCH; index++) {
			ctas[index] = fake_ctas[index];
		}
		fake_end_all();
		for (uint32_t index = 0; index < BATCH; index++) {
			assert_true(fake_completion(&done));
			assert_int_equal(done.status, GG_OK);
			tags[index] = done.tag;
		}
	}
	assert_int_equal(device.perf->ctas_lo, 3 * BATCH);
	express_switch(true);
}

/* S0-R31, S0-R35: each task of a batch goes to the SM with the most free slots, of those that hold something as of the
 * others, and to the units that it would get on the long way. */
static void a_batch_is_shared_out(void **state)
{
	static struct fake_cta ctas[2][BATCH];
	static uint32_t tags[2][BATCH];

	(void)state;
	run_batch(false, ctas[0], tags[0]);
	run_batch(true, ctas[1], tags[1]);
	for (uint32_t index = 0; index < BATCH; index++) {
		assert_int_equal(ctas[1][index].sm, ctas[0][index].sm);
		assert_int_equal(ctas[1][index].sm, index / 7);
		assert_int_equal(ctas[1][index].start, ctas[0][index].start);
		assert_int_equal(ctas[1][index].start, 1u << 3 * (index % 7));
		assert_int_equal(ctas[1][index].units, 3);
		assert_int_equal(tags[1][index], tags[0][index]);
	}
}

/* Runs a grid that fills the device again and again while it is traced. Returns the number of records of packets, which are copied. */
static uint32_t run_traced(bool express, struct gg_trace_record *packets_of)
{
	const struct gg_tmd tmd = fake_tmd(GRID);
	const struct trace_ring *ring;
	uint32_t found = 0;

	fake_device_init(2);
	express_switch(express);
	trace_switch(true);
	fake_submit(0, 77, &tmd);
	for (uint32_t turn = 0; fake_take_all() > 0; turn++) {
		for (uint32_t index = fake_cta_count; index-- > 0;) {
			if (turn % 2 == 0 || fake_ctas[index].sm == 0) {
				fake_end(index, GG_OK);
			}
		}
		fake_bell(
			1); /* both SMs have rung when the next turn begins, not always with news */
		fake_settle(100);
	}
	fake_expect(77, GG_OK);
	ring = &device.trace[0];
	for (uint32_t put = 0; put < ring->header.put; put++) {
		const struct gg_trace_record *record = &ring->records[put];

		if (gg_get(record->header, GG_TRACE_RECORD_TYPE) == GG_TRACE_TYPE_LAUNCH) {
			assert_true(found < GRID && record->start_lo != 0);
			assert_int_equal(record->start_lo, record->end_lo);
			packets_of[found++] = *record;
		}
	}
	trace_switch(false);
	express_switch(true);
	return found;
}

/* A device that is traced is refilled the short way, too. The records of its packets have each CTA once, as on the long way. */
static void refill_is_recorded(void **state)
{
	static struct gg_trace_record records[2][GRID];
	uint32_t next = 0;
	uint32_t again = 0;

	(void)state;
	const uint32_t count = run_traced(true, records[1]);

	assert_int_equal(count, run_traced(false, records[0]));
	for (uint32_t at = 0; at < count; at++) {
		const struct gg_trace_record *record = &records[1][at];

		assert_int_equal(record->header, records[0][at].header);
		assert_int_equal(record->tag, 77);
		assert_int_not_equal(record->extra, 0);
		assert_int_equal(record->extra, records[0][at].extra);
		assert_int_equal(record->cta_lo, next);
		next += record->extra;
		again += gg_get(record->header, GG_TRACE_RECORD_SM);
	}
	assert_int_equal(next, GRID);
	assert_in_range(again, 2, count - 2); /* both SMs got packets, and more than one each */
}

/* A CTA ends, at times that its SM says. */
static void end_at(uint64_t first, uint64_t last)
{
	const uint32_t sm = fake_ctas[0].sm;

	fake_end(0, GG_OK);

	const uint32_t put = device.sms[sm].report_put;
	struct gg_report *report = &device.launch[sm].reports[(put - 1) % CP_LAUNCH_ENTRIES];

	report->first_lo = gg_low(first);
	report->first_hi = gg_high(first);
	report->last_lo = gg_low(last);
	report->last_hi = gg_high(last);
}

/* The task's times are those that the SMs have said, and none from before. */
static void times_of_a_refill(void **state)
{
	static const uint64_t pairs[][2] = { { UINT64_MAX - 9, UINT64_MAX - 5 }, { 0, 0 } };
	const struct gg_tmd tmd = fake_tmd(GRID);

	(void)state;
	for (uint32_t pair = 0; pair < 2; pair++) {
		fake_device_init(2);
		fake_submit(0, 77, &tmd);
		while (fake_take_all() != 0) {
			end_at(pairs[pair][0], pairs[pair][1]);
		}

		const struct gg_completion done = fake_expect(77, GG_OK);

		assert_int_equal(gg_join(done.first_lo, done.first_hi), pairs[pair][0]);
		assert_int_equal(gg_join(done.last_lo, done.last_hi), pairs[pair][1]);
	}
}

/* The first start and the last end are those of CTAs in the middle, whose room is refilled. */
static void times_in_the_middle(void **state)
{
	const struct gg_tmd tmd = fake_tmd(GRID);
	uint64_t ended = 0;

	(void)state;
	fake_device_init(2);
	fake_submit(0, 77, &tmd);
	for (; fake_take_all() != 0; ended++) {
		const uint64_t far = ended < GRID / 2 ? GRID / 2 - ended : ended - GRID / 2;

		end_at(1000 + far, 2000 - far);
	}

	const struct gg_completion done = fake_expect(77, GG_OK);

	assert_int_equal(ended, GRID);
	assert_int_equal(gg_join(done.first_lo, done.first_hi), 1000);
	assert_int_equal(gg_join(done.last_lo, done.last_hi), 2000);
}

/* A bell that was heard on the short way is heard: the SM is looked at again when it has rung again, and never before. It may
 * have rung often since the last look: 128 times change the highest of its bits alone. */
static void bells_are_heard(void **state)
{
	const struct gg_tmd tmd = fake_tmd(3 * GRID);

	(void)state;
	for (uint32_t way = 0; way < 2; way++) {
		fake_device_init(8);
		express_switch(way != 0);
		fake_submit(0, 77, &tmd);
		while (fake_take_all() != 0) {
			const uint32_t sm = fake_ctas[fake_cta_count / 2].sm;

			fake_end(fake_cta_count / 2, GG_OK);
			for (uint32_t rung = 1; rung < 128; rung++) {
				fake_bell(sm);
			}
			fake_settle(100);
			assert_memory_equal(inbox_heard, device.bells, 8);
		}
		fake_expect(77, GG_OK);
	}
	express_switch(true);
}

/* S1-Q9: CTAs that are issued on the short way pass a CGA that waits, as others do. */
static void refill_passes_others(void **state)
{
	const struct gg_tmd tmd = fake_tmd(GRID);

	(void)state;
	for (uint32_t way = 0; way < 2; way++) {
		fake_device_init(2);
		express_switch(way != 0);
		fake_submit(0, 77, &tmd);

		const uint32_t before = offer_total();

		fake_finish();
		assert_int_equal(offer_total() - before, GRID);
	}
	express_switch(true);
}

/* S0-R22: while the device drains for a throttle task, CTAs that end make no room for others, on neither way. The task is
 * one that was suspended while the mode was on, and is resumed. */
static void no_refill_while_it_drains(void **state)
{
	struct gg_tmd tmd = fake_tmd(GRID);
	const struct gg_tmd other = fake_tmd(GRID);

	(void)state;
	tmd.header |= GG_TMD_THROTTLE;
	fake_device_init(2);
	const uint64_t address = fake_run(1, &tmd);

	assert_int_equal(fake_take_all(), 8);
	fake_name(10, GG_OPCODE_SUSPEND, address);
	fake_expect(10, GG_OK);
	fake_end_all();
	fake_run(2, &other);
	assert_int_equal(fake_take_all(), 16);
	fake_end(0, GG_OK);
	assert_int_equal(fake_take_all(), 16);
	fake_name(11, GG_OPCODE_RESUME, address);
	fake_expect(11, GG_OK);
	for (uint32_t left = 16; left != 0; left--) {
		assert_int_equal(fake_count(2), left);
		fake_end(0, GG_OK);
		fake_take_all();
	}
	assert_int_equal(fake_count(1), 8);
	fake_finish();
	fake_expect(1, GG_OK);
	fake_expect(2, GG_OK);
}

/* S0-R22: the same for the first throttle task, which comes while others run. */
static void no_refill_before_the_first(void **state)
{
	struct gg_tmd tmd = fake_tmd(2);
	const struct gg_tmd other = fake_tmd(GRID);

	(void)state;
	tmd.header |= GG_TMD_THROTTLE;
	fake_device_init(2);
	fake_run(2, &other);
	assert_int_equal(fake_take_all(), 16);
	fake_run(1, &tmd);
	for (uint32_t left = 16; left != 0; left--) {
		assert_int_equal(fake_count(2), left);
		assert_int_equal(fake_count(1), 0);
		fake_end(0, GG_OK);
		fake_take_all();
	}
	assert_int_equal(fake_count(1), 2);
	fake_finish();
	fake_expect(1, GG_OK);
	assert_int_equal(fake_expect(2, GG_OK).ctas_lo, GRID);
}

/* A device whose SMs can be sent waves. */
static void begin_waves(uint32_t sms)
{
	fake_device_init(sms);
	device.cap->features |= 1u << GG_FEATURE_ATOMICS;
}

/* Runs a grid twice, so that its TMD is known; its address. */
static uint64_t make_known(uint32_t ctas)
{
	const struct gg_tmd tmd = fake_tmd(ctas);
	const uint64_t address = fake_put_tmd(&tmd);

	for (uint32_t round = 0; round < 2; round++) {
		fake_submit_at(0, 1, address);
		fake_finish();
		fake_expect(1, GG_OK);
	}
	return address;
}

/* All CTAs of a tag end. */
static void end_tag(uint32_t tag)
{
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		if (fake_tag(index) == tag) {
			fake_end(index, GG_OK);
		}
	}
}

/* S0-R31, S0-R35: while waves are out whose SMs nobody has looked at, others leave and end on the short way, waves and single CTAs, on
 * SMs that hold nothing, whether posted together or one by one, and in whichever order they end. */
static void waves_beside_each_other(void **state)
{
	static const uint32_t order[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 0, 2 }, { 2, 0, 1 } };
	static const uint32_t ctas[3] = { 3, 1, 2 };
	uint64_t addresses[3];

	(void)state;
	begin_waves(SMS);
	for (uint32_t at = 0; at < 3; at++) {
		addresses[at] = make_known(ctas[at]);
	}
	for (uint32_t round = 0; round < 8; round++) {
		for (uint32_t at = 0; at < 3; at++) {
			fake_post_submit(0, 10 + at, addresses[at]);
			assert_true(round % 2 == 1 || fake_short_turn());
		}
		assert_true(round % 2 == 0 || fake_short_turn());
		assert_int_equal(bits_count(wave_behind), 2);
		assert_int_equal(fake_take_now(), 6);
		for (uint32_t index = 0; index < 6; index++) {
			const uint32_t sm = fake_ctas[index].sm;

			assert_int_equal(fake_on_sm(sm), 1);
			assert_int_equal(fake_tag(index), sm < 3 ? 10 : sm < 4 ? 11 : 12);
		}
		for (uint32_t at = 0; at < 3; at++) {
			const uint32_t tag = 10 + order[round / 2][at];

			end_tag(tag);
			assert_true(fake_short_turn());
			const struct gg_completion done = fake_expect(tag, GG_OK);

			assert_int_equal(gg_get(done.source, GG_COMPLETION_SMS), ctas[tag - 10]);
		}
		assert_int_equal(device.perf->waves_opened, 0);
		assert_int_equal(sm_state_resident(), 0);
	}
}

/* S0-R35: an SM that holds nothing is found behind a word of SMs that all hold CTAs. */
static void a_cta_beside_a_wave_of_a_word(void **state)
{
	(void)state;
	begin_waves(40);
	const uint64_t word = make_known(32);
	const uint64_t single = make_known(1);

	fake_post_submit(0, 2, word);
	assert_true(fake_short_turn());
	for (uint32_t tag = 32; tag < 40; tag++) {
		fake_post_submit(0, tag, single);
		assert_true(fake_short_turn());
	}
	fake_take_now();
	for (uint32_t sm = 32; sm < 40; sm++) {
		assert_int_equal(fake_on_sm(sm), 1);
		end_tag(sm);
		assert_true(fake_short_turn());
		fake_expect(sm, GG_OK);
	}
	fake_finish();
	fake_expect(2, GG_OK);
}

/* S0-R35: what SMs of a wave have room for is not known before somebody looks: a task that finds no SM that holds nothing looks. Then
 * it leaves and ends on the short way beside the wave, and so does the wave, in either order. */
static void room_beside_a_wave(void **state)
{
	(void)state;
	for (uint32_t ctas = 1; ctas <= 4; ctas++) {
		for (uint32_t first = 0; first < 2; first++) {
			begin_waves(SMS);
			const uint64_t whole = make_known(SMS * 2);
			const uint64_t some = make_known(ctas);

			fake_post_submit(0, 10, whole);
			assert_true(fake_short_turn());
			assert_int_not_equal(wave_behind, 0);
			fake_post_submit(0, 11, some);
			assert_true(fake_short_turn());
			assert_int_equal(wave_behind, 0);
			assert_int_equal(fake_take_now(), SMS * 2 + ctas);
			for (uint32_t sm = 0; sm < SMS; sm++) {
				assert_int_equal(fake_on_sm(sm), sm < ctas ? 3 : 2);
			}
			for (uint32_t at = 0; at < 2; at++) {
				const uint32_t tag = 10 + (at + first) % 2;

				end_tag(tag);
				assert_true(fake_short_turn());
				const struct gg_completion done = fake_expect(tag, GG_OK);

				assert_int_equal(gg_get(done.source, GG_COMPLETION_SMS),
						 tag == 10 ? SMS : ctas);
			}
			assert_int_equal(device.perf->waves_opened, 0);
			assert_int_equal(sm_state_resident(), 0);
			for (uint32_t sm = 0; sm < SMS; sm++) {
				assert_int_equal(device.sms[sm].state_sync, GG_SYNC_STATE_NONE);
			}
		}
	}
}

/* S0-R35: an SM of an open wave that has counted itself is looked at by the stages, also when nothing waits for room any more. */
static void an_open_wave(void **state)
{
	(void)state;
	begin_waves(SMS);
	const uint64_t whole = make_known(SMS * FULL);
	const uint64_t single = make_known(1);

	fake_post_submit(0, 10, whole);
	assert_true(fake_short_turn());
	fake_post_submit(0, 11, single);
	assert_false(fake_short_turn());
	fake_settle(100);
	assert_int_equal(device.perf->waves_opened, 1);
	for (uint32_t sm = 0; sm < SMS; sm++) {
		fake_take_all();
		assert_int_equal(fake_count(11), sm != 0);
		fake_end_sm(sm, GG_OK);
		fake_settle(100);
		assert_int_equal(fake_on_sm(sm), 0);
	}
	assert_int_equal(fake_expect(10, GG_OK).ctas_lo, SMS * FULL);
	fake_finish();
	fake_expect(11, GG_OK);
	assert_int_equal(sm_state_resident(), 0);
	assert_int_equal(wave_slots, 0);
}

/* S0-R34: an SM of a closed wave, one of whose CTAs has failed, reports those that ended well before it: whether the wave is lent or
 * was settled. */
static void a_failure_in_a_wave(void **state)
{
	(void)state;
	for (uint32_t settled = 0; settled < 2; settled++) {
		begin_waves(SMS);
		const uint64_t whole = make_known(SMS * 2);

		fake_post_submit(0, 10, whole);
		assert_true(fake_short_turn());
		fake_take_now();
		if (settled != 0) {
			wave_settle();
		}
		const uint32_t sm = fake_ctas[0].sm;

		fake_end(0, GG_OK);
		for (uint32_t index = 0; fake_on_sm(sm) != 0; index++) {
			if (fake_ctas[index].sm == sm) {
				fake_end(index, GG_ERR_ABORTED);
			}
		}
		assert_false(fake_short_turn());
		fake_settle(100);
		assert_int_equal(sm_state_resident(), SMS * 2 - 2);
		assert_int_equal(device.sms[sm].free_ctas, FULL);
		fake_look();
		fake_stop_all();
		assert_int_equal(fake_expect(10, GG_ERR_ABORTED).ctas_lo, 1);
		assert_int_equal(sm_state_resident(), 0);
		assert_int_equal(wave_slots, 0);
	}
}

/* S0-R15: the end of a wave that another task waits for is for the stages. */
static void a_wave_that_is_waited_for(void **state)
{
	struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	begin_waves(SMS);
	const uint64_t whole = make_known(SMS * 2);

	fake_post_submit(0, 10, whole);
	assert_true(fake_short_turn());
	fake_take_now();
	fake_set_after(&tmd, &whole, 1);
	fake_run(11, &tmd);
	assert_int_equal(wave_behind, 0);
	end_tag(10);
	assert_false(fake_short_turn());
	fake_settle(100);
	fake_expect(10, GG_OK);
	fake_finish();
	fake_expect(11, GG_OK);
}

/* A task in a place of the pool that had a wave tells of its own SMs, also when it ends through the stages. */
static void sms_of_a_place(void **state)
{
	(void)state;
	begin_waves(SMS);
	const uint64_t all = make_known(SMS);
	const uint64_t some = make_known(3);

	for (uint32_t tag = 10; tag < 12; tag++) { /* two places */
		fake_post_submit(0, tag, some);
		assert_true(fake_short_turn());
	}
	fake_take_now();
	for (uint32_t tag = 10; tag < 12; tag++) {
		end_tag(tag);
		assert_true(fake_short_turn());
		fake_expect(tag, GG_OK);
	}
	fake_post_submit(0, 12, all);
	fake_post_submit(0, 13, some);
	assert_true(fake_short_turn());
	assert_int_equal(fake_take_now(), SMS + 3);
	end_tag(12);
	assert_true(fake_short_turn());
	fake_expect(12, GG_OK);
	fake_end(fake_find(13), GG_ERR_ABORTED);
	fake_settle(100);
	fake_stop_all();
	assert_int_equal(gg_get(fake_expect(13, GG_ERR_ABORTED).source, GG_COMPLETION_SMS), 3);
}

/* S0-R34, S0-R35: without waves, grids of several CTAs leave in packets where there is room for all of them, and each of their reports is
 * short; several CTAs of an SM may end one by one. */
static void grids_in_packets(void **state)
{
	static const uint32_t ctas[] = { 2, 3, 5, 6 }; /* that is what two SMs have room for */
	uint64_t addresses[4];

	(void)state;
	fake_device_init(2);
	for (uint32_t at = 0; at < 4; at++) {
		addresses[at] = make_known(ctas[at]);
	}
	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t at = 0; at < 4; at++) {
			fake_post_submit(0, 10 + at, addresses[at]);
		}
		assert_true(fake_short_turn());
		assert_int_equal(fake_take_now(), 16);
		for (uint32_t at = 0; at < 4; at++) {
			const uint32_t tag = 10 + (at + round) % 4;

			assert_int_equal(fake_count(tag), ctas[tag - 10]);
			while (fake_count(tag) != 0) {
				fake_expect_none();
				fake_end(fake_find(tag), GG_OK);
				assert_true(round == 1 || fake_short_turn());
			}
			assert_true(round != 1 || fake_short_turn());
			const struct gg_completion done = fake_expect(tag, GG_OK);

			assert_int_equal(done.ctas_lo, ctas[tag - 10]);
			assert_int_equal(done.packets, 2);
			assert_int_equal(gg_get(done.source, GG_COMPLETION_SMS), 2);
		}
		assert_int_equal(sm_state_resident(), 0);
	}
	assert_int_equal(device.perf->waves, 0);
	/* One CTA more than there is room for: the stages issue what fits. */
	for (uint32_t at = 0; at < 3; at++) {
		fake_post_submit(0, 10 + at, addresses[3]);
		assert_int_equal(fake_short_turn(), at != 2);
	}
	fake_settle(100);
	assert_int_equal(fake_take_all(), 16);
	fake_finish();
	for (uint32_t at = 0; at < 3; at++) {
		struct gg_completion done;

		assert_true(fake_completion(&done));
		assert_int_equal(done.ctas_lo, 6);
	}
}

/* S0-R34, S0-R35: the same of SMs in several words. */
static void packets_to_many_sms(void **state)
{
	(void)state;
	fake_device_init(40);
	const uint64_t address = make_known(80);

	fake_post_submit(0, 10, address);
	assert_true(fake_short_turn());
	assert_int_equal(fake_take_now(), 80);
	for (uint32_t sm = 0; sm < 40; sm++) {
		assert_int_equal(fake_on_sm(sm), 2);
	}
	end_tag(10);
	assert_true(fake_short_turn());
	assert_int_equal(gg_get(fake_expect(10, GG_OK).source, GG_COMPLETION_SMS), 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ways_do_the_same),
		cmocka_unit_test(nothing_is_left_behind),
		cmocka_unit_test(a_batch_is_shared_out),
		cmocka_unit_test(refill_is_recorded),
		cmocka_unit_test(times_of_a_refill),
		cmocka_unit_test(times_in_the_middle),
		cmocka_unit_test(bells_are_heard),
		cmocka_unit_test(refill_passes_others),
		cmocka_unit_test(no_refill_while_it_drains),
		cmocka_unit_test(no_refill_before_the_first),
		cmocka_unit_test(waves_beside_each_other),
		cmocka_unit_test(a_cta_beside_a_wave_of_a_word),
		cmocka_unit_test(room_beside_a_wave),
		cmocka_unit_test(an_open_wave),
		cmocka_unit_test(a_failure_in_a_wave),
		cmocka_unit_test(a_wave_that_is_waited_for),
		cmocka_unit_test(sms_of_a_place),
		cmocka_unit_test(grids_in_packets),
		cmocka_unit_test(packets_to_many_sms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
