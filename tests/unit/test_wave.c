/* SPDX-License-Identifier: Apache-2.0 */
/* Waves: what is counted, and what opens them. SMs count themselves where all cores have A.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_cga.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/express/express.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/wave/wave.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define SMS  8u
#define MANY 70u /* in several words */
#define FULL 8u  /* CTAs of an SM */

static void begin(uint32_t sms)
{
	fake_device_init(sms);
	device.cap->features |= 1u << GG_FEATURE_ATOMICS;
}

/* Runs a task, whose CTAs the SMs take; its address. */
static uint64_t run(uint32_t tag, uint32_t ctas)
{
	const struct gg_tmd tmd = fake_tmd(ctas);
	const uint64_t address = fake_run(tag, &tmd);

	fake_take_all();
	return address;
}

/* Posts a command that names a task, and is accepted. */
static void command(enum gg_opcode opcode, uint64_t address)
{
	fake_name(2, opcode, address);
	fake_expect(2, GG_OK);
}

/* A task whose CTAs fill an SM each. */
static struct gg_tmd large(uint32_t ctas)
{
	struct gg_tmd tmd = fake_tmd(ctas);

	tmd.shared_bytes = device.resources.shared_bytes;
	return tmd;
}

static uint32_t bells(void)
{
	uint32_t sum = 0;

	for (uint32_t sm = 0; sm < SMS; sm++) {
		sum += ((const unsigned char *)device.bells)[sm];
	}
	return sum;
}

static void at_rest(void)
{
	assert_int_equal(fake_cta_count, 0);
	assert_int_equal(sm_state_resident(), 0);
	assert_int_equal(wave_slots, 0);
	assert_int_equal(device.perf->unmatched, 0);
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		assert_true(bits_has(sm_state_idle, sm));
		assert_int_equal(device.sms[sm].free_ctas, device.resources.ctas);
		assert_int_equal(device.sms[sm].free_warps, device.resources.warps);
	}
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		assert_int_equal(device.slots[slot].in_flight, 0);
	}
}

/* Task 2 ends, and nothing else. */
static void end_second(void)
{
	while (fake_count(2) != 0) {
		fake_end_tag(2, GG_OK);
	}
	fake_expect(2, GG_OK);
}

static void end_second_first(void)
{
	end_second();
	fake_end_all();
	fake_expect(1, GG_OK);
	at_rest();
}

/* S0-R34, S0-R31: SMs get what they would get without a wave, in order of rank; one bell ends it all. */
static void counted(void **state)
{
	(void)state;
	begin(SMS);
	for (uint32_t round = 0; round < 3; round++) {
		const uint32_t before = bells();
		uint64_t first = 0, last = 0;

		run(round, 2 * SMS + 3);
		assert_int_equal(fake_cta_count, 2 * SMS + 3);
		for (uint32_t index = 0; index < fake_cta_count; index++) {
			const struct fake_cta *cta = &fake_ctas[index];

			assert_int_equal(cta->sm,
					 cta->cta < 9 ? cta->cta / 3 : 3 + (cta->cta - 9) / 2);
		}
		for (uint32_t sm = 0; sm < SMS; sm++) {
			assert_int_equal(bells(), before);
			fake_expect_none();
			fake_hal.now += 10;
			last = fake_hal.now;
			first = first != 0 ? first : last;
			fake_end_sm((sm * 3 + round) % SMS, GG_OK);
		}
		assert_int_equal(bells(), before + 1);

		const struct gg_completion done = fake_expect(round, GG_OK);

		assert_int_equal(done.ctas_lo, 2 * SMS + 3);
		assert_int_equal(done.packets, SMS);
		assert_int_equal(gg_join(done.first_lo, done.first_hi), first);
		assert_int_equal(gg_join(done.last_lo, done.last_hi), last + 1);
		assert_int_equal(device.perf->reports, (round + 1) * SMS);
		assert_int_equal(device.perf->packets, (round + 1) * SMS);
		assert_int_equal(device.perf->ctas_lo, (round + 1) * (2 * SMS + 3));
		at_rest();
	}
}

/* Until something else happens SM STATE is as before; all that is counted of assignments and SMs is right afterwards. */
static void lent(void **state)
{
	(void)state;
	begin(SMS);
	run(1, 2 * SMS + 3);
	assert_int_not_equal(wave_behind, 0);
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_int_equal(device.sms[sm].free_ctas, device.resources.ctas);
		assert_int_equal(device.sms[sm].state_sync, GG_SYNC_STATE_NONE);
		assert_false(bits_has(sm_state_idle, sm));
	}
	fake_end_all();

	const struct gg_completion done = fake_expect(1, GG_OK);

	assert_int_equal(gg_get(done.source, GG_COMPLETION_SMS), SMS);
	assert_int_equal(device.perf->assignments, SMS);
	assert_int_equal(device.perf->acks, SMS);
	assert_int_equal(wave_behind, 0);
	at_rest();
}

/* S0-R27, S0-R35: another task makes the scheduler look at the SMs: they show what they hold, and the wave stays closed. */
static void looked_at(void **state)
{
	(void)state;
	begin(SMS);
	run(1, 2 * SMS + 3);
	run(2, 1);
	assert_int_equal(wave_behind, 0);
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_int_equal(device.sms[sm].free_ctas, device.resources.ctas - fake_on_sm(sm));
		assert_int_equal(gg_get(device.sms[sm].task_assign, GG_SM_STATE_WAVED), sm != 3);
	}
	assert_int_equal(fake_ctas[fake_find(2)].sm, 3);
	fake_end_tag(2, GG_OK);
	fake_expect(2, GG_OK);
	assert_int_equal(device.perf->waves_opened, 0);
	assert_int_not_equal(wave_slots, 0);
	fake_end_all();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 2 * SMS + 3);
	assert_int_equal(device.perf->assignments, SMS + 1);
	at_rest();
}

/* S0-R27: an SM of a wave was assigned to a task that still runs elsewhere: it is assigned to it no more. */
static void assigned_before(void **state)
{
	(void)state;
	begin(SMS);

	const struct gg_tmd tmd = large(2);

	device.cap->features &= ~(1u << GG_FEATURE_ATOMICS); /* this one is no wave */
	fake_run(1, &tmd);
	device.cap->features |= 1u << GG_FEATURE_ATOMICS;
	fake_take_all();
	assert_int_equal(fake_on_sm(1), 1);
	fake_end_sm(1, GG_OK);
	assert_int_equal(device.sms[1].state_sync, GG_SYNC_STATE_ACKED);
	run(2, 2 * SMS - 2);
	assert_int_not_equal(wave_behind, 0);
	assert_int_equal(device.sms[1].state_sync, GG_SYNC_STATE_NONE);
	end_second_first();
}

/* A task is cancelled of which the SMs have told nothing: each of them is told to stop. */
static void cancelled_at_once(void **state)
{
	(void)state;
	begin(SMS);
	command(GG_OPCODE_CANCEL, run(1, 2 * SMS));
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_int_equal(gg_get(device.sms[sm].stop_slot, GG_PACKET_SLOT), 0);
	}
	fake_look();
	fake_stop_all();
	assert_int_equal(fake_expect(1, GG_ERR_CANCELLED).ctas_lo, 0);
	at_rest();
}

/* A channel is cancelled, which takes more than one turn. Between two turns one of its tasks becomes a wave. */
static void cancelled_later(void **state)
{
	const uint32_t tasks = CP_SWEEP; /* the last one is not found in the first turn */

	(void)state;
	begin(SMS);

	const struct gg_tmd blocker = large(SMS);
	const struct gg_tmd small = fake_tmd(2 * SMS);

	fake_run(1, &blocker);
	fake_take_all();
	for (uint32_t task = 0; task < tasks; task++) {
		fake_submit(1, 100 + task, &small);
		fake_settle(100);
	}
	while (fake_cta_count != 0) {
		fake_end(0, GG_OK);
	}
	fake_channel(2, GG_OPCODE_CANCEL, 1);
	for (uint32_t completions = 0; completions < tasks + 2; completions++) {
		struct gg_completion completion;

		while (!fake_completion(&completion)) {
			fake_look();
			fake_stop_all();
			fake_settle(1000);
		}
		assert_int_equal(completion.status,
				 completion.tag < 100 ? GG_OK : (uint32_t)GG_ERR_CANCELLED);
	}
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_int_not_equal(device.sms[sm].stop_slot, UINT32_MAX);
	}
	at_rest();
}

/* S0-R35: a task comes in the same turn as a wave: it gets what the wave leaves. */
static void same_turn(void **state)
{
	(void)state;
	begin(SMS);

	const struct gg_tmd wave = fake_tmd(device.resources.ctas * SMS - 1);
	const struct gg_tmd other = fake_tmd(2);

	fake_submit(0, 1, &wave);
	fake_submit(0, 2, &other);
	fake_settle(100);
	fake_take_all();
	assert_int_equal(fake_count(1), device.resources.ctas * SMS - 1);
	assert_int_equal(fake_count(2), 1);
	assert_int_equal(fake_ctas[fake_find(2)].sm, SMS - 1);
	fake_look();
	fake_finish();
	fake_expect(1, GG_OK);
	fake_expect(2, GG_OK);
	at_rest();
}

/* An SM may take its share of an open wave late: until then the entry stays as it is, and other CTAs of the task go by
 * packets. */
static void taken_late(void **state)
{
	uint32_t seen = 0;

	(void)state;
	begin(SMS);

	const struct gg_tmd tmd = large(SMS + CP_WAVE_SMS);

	fake_run(1, &tmd);
	for (uint32_t sm = 0; sm < CP_WAVE_SMS; sm++) {
		fake_take_packets(sm);
	}
	while (fake_cta_count != 0) {
		seen |= 1u << fake_ctas[0].cta;
		fake_end(0, GG_OK);
	}
	fake_settle(100);
	fake_take_all();
	for (uint32_t index = 0; index < fake_cta_count; index++) {
		assert_int_equal(seen >> fake_ctas[index].cta & 1u, 0);
		seen |= 1u << fake_ctas[index].cta;
	}
	assert_int_equal(seen, bits_ones(SMS + CP_WAVE_SMS));
	fake_end_all();
	fake_expect(1, GG_OK);
	at_rest();
}

/* S0-R31: SMs get their shares in the order of the SM priority list. */
static void ranked(void **state)
{
	uint16_t order[CP_SMS];

	(void)state;
	begin(SMS);
	for (uint32_t sm = 0; sm < CP_SMS; sm++) {
		order[sm] = (uint16_t)(sm < SMS ? SMS - 1 - sm : sm);
	}
	sm_state_rank(order);
	for (uint32_t more = 0; more < 2; more++) {
		run(1, 2 * SMS + 3);
		if (more != 0) {
			run(2, 1);
		}
		for (uint32_t index = 0; index < 2 * SMS + 3; index++) {
			const struct fake_cta *cta = &fake_ctas[index];
			const uint32_t rank = cta->cta < 9 ? (uint32_t)cta->cta / 3
							   : 3 + ((uint32_t)cta->cta - 9) / 2;

			assert_int_equal(cta->sm, SMS - 1 - rank);
		}
		if (more != 0) {
			fake_end_tag(2, GG_OK);
			fake_expect(2, GG_OK);
		}
		fake_end_all();
		fake_expect(1, GG_OK);
		at_rest();
	}
	run(3, CP_WAVE_SMS + 1);
	for (uint32_t sm = 0; sm < SMS; sm++) {
		assert_int_equal(fake_on_sm(sm), sm >= SMS - CP_WAVE_SMS - 1);
		assert_int_equal(bits_has(sm_state_idle, sm), fake_on_sm(sm) == 0);
	}
	fake_end_all();
	fake_expect(3, GG_OK);
	at_rest();
}

/* S0-R31: the remainder of fewer CTAs than SMs goes to the first ones. On the long way a wave goes to very few SMs only if no other task
 * wants some, and each SM gets one CTA. */
static void few(void **state)
{
	(void)state;
	begin(SMS);
	for (uint32_t ctas = 2; ctas <= CP_WAVE_SMS; ctas++) {
		run(1, ctas);
		assert_int_not_equal(wave_slots, 0);
		for (uint32_t sm = 0; sm < SMS; sm++) {
			assert_int_equal(fake_on_sm(sm), sm < ctas);
		}
		fake_end_all();
		fake_expect(1, GG_OK);
		at_rest();
	}
	express_switch(false); /* which asks only whether all of it fits */
	run(1, 1);
	assert_int_equal(wave_slots, 0);
	fake_end_all();
	fake_expect(1, GG_OK);

	struct gg_tmd tmd = fake_tmd(CP_WAVE_SMS - 1);

	for (uint32_t wants = 0; wants < 2; wants++) {
		const struct gg_tmd one = fake_with_affinity(large(1 + wants), 1u << (SMS - 1));

		fake_run(1, &one);
		fake_run(2, &tmd);
		assert_int_equal(wave_slots != 0, wants == 0);
		fake_finish();
		fake_finish();
		fake_expect(wants == 0 ? 1 : 2, GG_OK);
		fake_expect(wants == 0 ? 2 : 1, GG_OK);
	}
	express_switch(true);
	tmd = fake_with_affinity(fake_tmd(CP_WAVE_SMS), bits_ones(CP_WAVE_SMS - 1));
	fake_run(3, &tmd); /* two CTAs on an SM */
	assert_int_equal(wave_slots, 0);
	fake_take_all();
	fake_end_all();
	fake_expect(3, GG_OK);
	at_rest();
}

/* S0-R31: a grid that has a device of few SMs for itself is a wave, on the short way and on the long one, whatever its size. */
static void few_sms(void **state)
{
	(void)state;
	for (uint32_t sms = 1; sms < CP_WAVE_SMS; sms++) {
		begin(sms);
		for (uint32_t ctas = 2; ctas <= sms * FULL; ctas++) {
			for (uint32_t again = 0; again < 3; again++) {
				express_switch(again != 1);
				run(1, ctas);
				assert_int_not_equal(wave_slots, 0);
				for (uint32_t sm = 0; sm < sms; sm++) {
					assert_int_equal(fake_on_sm(sm),
							 ctas / sms + (sm < ctas % sms));
				}
				fake_end_all();
				assert_int_equal(fake_expect(1, GG_OK).ctas_lo, ctas);
				at_rest();
			}
		}
		assert_int_equal(device.perf->waves_opened, 0);
	}
	express_switch(true);
}

/* S0-R26, S0-R31: a task behind a wave gets an SM as soon as one is through, also one that was counted before. */
static void wanted(void **state)
{
	(void)state;
	for (uint32_t early = 0; early < 2; early++) {
		begin(SMS);
		run(1, 2 * SMS);
		if (early != 0) {
			fake_end_sm(5, GG_OK);
		}
		const struct gg_tmd tmd = large(1);

		fake_run(2, &tmd);
		fake_take_all();
		fake_look();
		if (early == 0) {
			assert_int_equal(fake_count(2), 0);
			fake_end_sm(5, GG_OK);
			fake_take_all();
		}
		assert_int_equal(fake_count(2), 1);
		assert_int_equal(fake_ctas[fake_find(2)].sm, 5);
		fake_end_tag(2, GG_OK);
		fake_expect(2, GG_OK);
		fake_end_all();
		assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 2 * SMS);
		at_rest();
	}
}

/* S0-R26, S0-R34: an SM has just read that its wave is closed, and counts itself when the wave is open: it rings, and is taken as
 * ended like one that reports. What the others report is counted once, and nothing of the wave is left when all have ended. */
static void counted_late(void **state)
{
	(void)state;
	for (uint32_t late = 0; late < SMS; late++) {
		begin(SMS);
		run(1, 2 * SMS);

		const struct gg_tmd tmd = large(1);

		fake_run(2, &tmd);
		assert_int_equal(device.perf->waves_opened, 1);
		for (uint32_t index = fake_cta_count; index-- > 0;) {
			if (fake_ctas[index].sm == late) {
				fake_ctas[index] = fake_ctas[--fake_cta_count];
			}
		}
		fake_wave_count(late, 0, 2);
		fake_take_all();
		assert_int_equal(fake_count(2), 1);
		assert_int_equal(fake_ctas[fake_find(2)].sm, late);
		fake_look();
		fake_finish();
		for (uint32_t count = 0; count < 2; count++) {
			struct gg_completion done;

			assert_true(fake_completion(&done));
			assert_int_equal(done.status, GG_OK);
			assert_int_equal(done.ctas_lo, done.tag == 1 ? 2 * SMS : 1);
		}
		at_rest();
	}
}

/* What a task was sent. */
struct sent {
	struct fake_cta ctas[MANY * 8];
	struct gg_wave entry;
	struct gg_packet packet;
	uint32_t count, packets, waves;
};

/* Runs a task three times, one after the other: no TMD and no place of the pool is new the third time. One SM may be full;
 * of its CTAs, so many have ended the third time. */
static void run_again(bool express, uint32_t busy, uint32_t freed, uint32_t ctas, struct sent *sent)
{
	begin(MANY);
	express_switch(express);
	if (busy < MANY) {
		const struct gg_tmd full = fake_with_affinity(fake_tmd(FULL), 0);

		bits_set(fake_at(full.affinity_lo), busy);
		fake_run(1, &full);
		fake_take_all();
		assert_int_equal(fake_on_sm(busy), FULL);
	}
	const struct gg_tmd tmd = fake_tmd(ctas);
	const uint64_t address = fake_put_tmd(&tmd);

	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t end = 0; round == 2 && end < freed; end++) {
			fake_end_tag(1, GG_OK);
		}
		sent->packets = device.perf->packets;
		sent->waves = device.perf->waves;
		fake_submit_at(0, 2, address);
		sent->count = fake_take_all();
		sent->packets = device.perf->packets - sent->packets;
		sent->waves = device.perf->waves - sent->waves;
		sent->entry = device.waves[fake_ctas[sent->count - 1].slot].entry;
		sent->packet = device.waves[fake_ctas[sent->count - 1].slot].packet;
		memcpy(sent->ctas, fake_ctas, sent->count * sizeof(fake_ctas[0]));
		end_second();
	}
	fake_finish();
}

/* S0-R26, S0-R31, S0-R35: a grid on SMs in several words, one of which may have no room. On the short way it is sent what it is sent
 * on the long one. */
static void on_both_ways(void **state)
{
	static const uint32_t busy[] = { 0, 40, MANY - 1, MANY };
	static const uint32_t ctas[] = { CP_WAVE_SMS, 32,       33,           MANY - 2, MANY - 1,
					 MANY,        MANY + 1, 2 * MANY - 2, 2 * MANY, 7 * MANY };
	static struct sent sent[2];

	(void)state;
	for (uint32_t at = 0; at < sizeof(busy) / sizeof(busy[0]); at++) {
		for (uint32_t size = 0; size < sizeof(ctas) / sizeof(ctas[0]); size++) {
			for (uint32_t way = 0; way < 2; way++) {
				run_again(way != 0, busy[at], 0, ctas[size], &sent[way]);
				sent[way].entry.serial = 0;
				gg_split(&sent[way].entry.since_lo, &sent[way].entry.since_hi, 0);
			}
			assert_int_equal(sent[0].count, ctas[size] + (busy[at] < MANY ? FULL : 0));
			assert_int_equal(sent[0].waves, 1);
			assert_int_equal(sent[1].waves, 1);
			assert_int_equal(sent[1].count, sent[0].count);
			assert_int_equal(sent[1].packets, sent[0].packets);
			assert_memory_equal(sent[1].ctas, sent[0].ctas,
					    sent[0].count * sizeof(sent[0].ctas[0]));
			assert_memory_equal(&sent[1].entry, &sent[0].entry, sizeof(sent[0].entry));
			assert_memory_equal(&sent[1].packet, &sent[0].packet,
					    sizeof(sent[0].packet));
		}
	}
	express_switch(true);
}

/* S0-R31: an SM with a CTA has room for others, and gets its part of a grid that gives some SMs more than one CTA. On the
 * short way it is sent what it is sent on the long one. */
static void beside_one_with_room(void **state)
{
	static struct sent sent[2];

	(void)state;
	for (uint32_t ctas = MANY - 2; ctas <= 7 * MANY; ctas += ctas < MANY + 1 ? 1 : MANY / 2) {
		for (uint32_t way = 0; way < 2; way++) {
			run_again(way != 0, 40, FULL - 1, ctas, &sent[way]);
		}
		assert_int_equal(sent[0].count, ctas + 1);
		assert_int_equal(sent[1].count, sent[0].count);
		for (uint32_t way = 0; way < 2; way++) {
			uint32_t on[MANY] = { 0 };

			for (uint32_t index = 0; index < sent[way].count; index++) {
				on[sent[way].ctas[index].sm]++;
			}
			for (uint32_t sm = 0; sm < MANY; sm++) {
				assert_in_range(on[sm], (ctas + 1) / MANY, ctas / MANY + 1);
			}
		}
	}
	express_switch(true);
}

/* S0-R27: SMs of a wave in another word than the first were assigned to a task whose CTAs on them have ended. */
static void assigned_before_in_all_words(void **state)
{
	(void)state;
	fake_device_init(MANY);

	const struct gg_tmd tmd = large(MANY);

	fake_run(1, &tmd); /* without A: each SM is assigned */
	fake_take_all();
	for (uint32_t sm = 1; sm < MANY; sm++) {
		fake_end_sm(sm, GG_OK);
		assert_int_equal(device.sms[sm].state_sync, GG_SYNC_STATE_ACKED);
	}
	device.cap->features |= 1u << GG_FEATURE_ATOMICS;
	run(2, MANY - 1);
	assert_int_not_equal(wave_behind, 0);
	for (uint32_t sm = 0; sm < MANY; sm++) {
		assert_int_equal(device.sms[sm].state_sync == GG_SYNC_STATE_NONE, sm != 0);
	}
	end_second_first();
}

/* S0-R31, S0-R35: SMs that all have as much room as each other, but not all of it, get no wave; in no word of theirs. */
static void none_for_busy_sms(void **state)
{
	(void)state;
	for (uint32_t word = 0; word < (MANY + 31) / 32; word++) {
		begin(MANY);
		run(1, MANY);
		assert_int_equal(device.perf->waves, 1);

		const struct gg_tmd tmd = fake_with_affinity(fake_tmd(CP_WAVE_SMS), 0);
		uint32_t *sms = fake_at(tmd.affinity_lo);

		sms[word] = bits_ones(CP_WAVE_SMS);
		fake_run(2, &tmd);
		fake_take_all();
		assert_int_equal(device.perf->waves, 1);
		for (uint32_t sm = 0; sm < MANY; sm++) {
			assert_int_equal(fake_on_sm(sm), 1 + (bits_has(sms, sm) ? 1 : 0));
		}
		end_second_first();
	}
}

/* S0-R34: a wave that is over is none that somebody who lacks room would open, or whose SMs would be interrupted. */
static void over(void **state)
{
	uint32_t before[SMS];

	(void)state;
	begin(SMS);
	run(1, 2 * SMS);
	fake_end_all();
	fake_expect(1, GG_OK);

	const struct gg_tmd tmd = large(1);
	const struct gg_tmd first = fake_with_affinity(tmd, 1), second = fake_with_affinity(tmd, 1);

	fake_run(2, &first);
	fake_take_all();
	memcpy(before, fake_hal.sm_rings, sizeof(before));
	fake_run(3, &second);
	fake_take_all();
	assert_int_equal(fake_cta_count, 1);
	assert_int_equal(device.perf->waves_opened, 0);
	assert_memory_equal(before, fake_hal.sm_rings, sizeof(before));
	fake_finish();
	fake_expect(2, GG_OK);
	fake_expect(3, GG_OK);
	at_rest();
}

/* S0-R26: when an SM leaves an open wave it reports what had ended. */
static void partly(void **state)
{
	(void)state;
	begin(SMS);
	run(1, 2 * SMS);
	fake_end(fake_find(1), GG_OK); /* one of the two of its SM */
	fake_settle(100);
	assert_int_equal(device.perf->reports, 0);

	const struct gg_tmd tmd = large(1);

	fake_run(2, &tmd);
	fake_look();
	fake_settle(100);
	assert_int_equal(device.perf->reports, 1);
	fake_finish();
	fake_expect(1, GG_OK);
	fake_expect(2, GG_OK);
	at_rest();
}

/* S0-R34: a CTA that fails ends the task; SMs that were counted before are found. Also when another task has the first slot. */
static void failed(void **state)
{
	(void)state;
	for (uint32_t beside = 0; beside < 2; beside++) {
		const struct gg_tmd other = large(beside);

		begin(SMS);
		if (beside != 0) {
			fake_run(2, &other);
		}
		run(1, 2 * (SMS - beside));
		assert_int_equal(wave_slots, 1u << beside);
		fake_end_sm(2, GG_OK);
		fake_end_sm(7, GG_OK);
		fake_end(fake_find(1), GG_ERR_ABORTED);
		fake_settle(100);
		assert_int_equal(sm_state_resident(), fake_cta_count);
		fake_look();
		while (fake_count(1) != 0) {
			fake_end_tag(1, GG_ERR_CANCELLED);
		}
		assert_int_equal(fake_expect(1, GG_ERR_ABORTED).ctas_lo, 4);
		if (beside != 0) {
			end_second();
		}
		at_rest();
	}
}

/* A wave is cancelled. */
static void cancelled(void **state)
{
	uint64_t address;

	(void)state;
	begin(SMS);
	address = run(1, 2 * SMS);
	fake_end_sm(3, GG_OK);
	command(GG_OPCODE_CANCEL, address);
	fake_stop_all();
	assert_int_equal(fake_expect(1, GG_ERR_CANCELLED).ctas_lo, 2);
	at_rest();
}

/* An SM of a wave is lost: the task fails, and what others have counted is found. */
static void lost(void **state)
{
	(void)state;
	begin(SMS);
	run(1, 2 * SMS);
	fake_end_sm(0, GG_OK);
	device.sms[4].hart_state = GG_HART_STATE_STOPPED;
	fake_bell(4);
	fake_settle(100);
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		if (fake_ctas[index].sm == 4) {
			fake_ctas[index] = fake_ctas[--fake_cta_count];
		}
	}
	fake_look();
	fake_stop_all();
	assert_int_equal(fake_expect(1, GG_ERR_SM_LOST).ctas_lo, 2);
	assert_int_equal(wave_slots, 0);
	assert_int_equal(sm_state_resident(), 0);
}

/* S0-R13: a wave whose task leaves its slot ends there. Here it is suspended. */
static void suspended(void **state)
{
	(void)state;
	begin(SMS);
	command(GG_OPCODE_SUSPEND, run(1, 2 * SMS));
	fake_end_all();
	fake_expect(1, GG_OK);
	at_rest();
}

/* On cores without A, and while the task has CTAs left, SMs report. */
static void open_ones(void **state)
{
	(void)state;
	fake_device_init(SMS);
	run(1, 2 * SMS);
	assert_int_equal(wave_slots, 0);
	fake_end(0, GG_OK);
	fake_settle(100);
	assert_int_equal(sm_state_resident(), 2 * SMS - 1);
	fake_end_all();
	fake_expect(1, GG_OK);

	device.cap->features |= 1u << GG_FEATURE_ATOMICS;

	const struct gg_tmd tmd = large(SMS + 1);

	fake_run(2, &tmd);
	fake_take_all();
	assert_int_equal(fake_cta_count, SMS);
	assert_int_equal(wave_slots, 0);
	fake_end_sm(6, GG_OK);
	fake_take_all();
	assert_int_equal(fake_on_sm(6), 1);
	fake_end_all();
	fake_expect(2, GG_OK);
	at_rest();
}

/* S1-R59, S1-R71, S1-R87, S1-R139, S1-R151: the only CGA of a task goes to SMs that hold nothing as a wave, with its members
 * in place; one bell ends it, and its id and memory come back. */
static void only_cga(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 1, 2 * SMS + 3);

	(void)state;
	begin(SMS);
	for (uint32_t round = 0; round < 3; round++) {
		const uint32_t before = bells();

		fake_run(round, &tmd);
		assert_int_equal(device.perf->waves, round + 1);
		assert_int_equal(device.perf->cgas, round + 1);
		fake_cga_check();
		assert_int_equal(fake_count(round), 2 * SMS + 3);
		for (uint32_t index = 0; index < fake_cta_count; index++) {
			assert_int_equal(fake_member(index)->rank, fake_ctas[index].cta);
		}
		for (uint32_t sm = 0; sm < SMS; sm++) {
			assert_int_equal(bells(), before);
			fake_end_sm((sm * 3 + round) % SMS, GG_OK);
		}
		assert_int_equal(bells(), before + 1);
		fake_expect(round, GG_OK);
		fake_cga_expect_none();
		at_rest();
	}
	run(3, SMS); /* in the same slot */
	fake_cga_check();
	fake_finish();
	fake_expect(3, GG_OK);
	assert_int_equal(device.perf->waves_opened, 0);
}

/* S1-R67, S1-R139: the last id of the device is one that a wave may take; without an id there is none, whatever room there is. */
static void cga_with_the_last_id(void **state)
{
	(void)state;
	begin(2 * SMS);
	cga_id_set_limit(1);

	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 1, SMS);
	const struct gg_tmd first =
		fake_with_affinity(fake_cga(GG_DOMAIN_GPU, 1, 2 * SMS), bits_ones(SMS));

	fake_run(1, &first);
	fake_run(2, &tmd);
	for (uint32_t tag = 1; tag <= 2; tag++) {
		assert_int_equal(device.perf->waves, tag);
		fake_cga_check();
		assert_int_equal(fake_count(tag), fake_cta_count);
		fake_end_all();
		assert_int_equal(fake_expect(tag, GG_OK).ctas_lo, tag == 1 ? 2 * SMS : SMS);
	}
	fake_cga_expect_none();
	at_rest();
}

/* S1-R136, S1-Q18: a CTA has come to the barrier, and ends, while others have not: its SM leaves the wave. Or one fails. */
static void cga_leaves(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 1, SMS);

	(void)state;
	for (uint32_t fails = 0; fails < 2; fails++) {
		begin(SMS);
		fake_run(1, &tmd);
		fake_take_all();
		if (fails == 0) {
			fake_come(1, 2, 0);
		}
		fake_end_position(1, 2, fails != 0 ? GG_ERR_ABORTED : GG_OK);
		assert_int_equal(device.perf->waves_opened, 1);
		fake_stop_all();
		fake_finish();
		fake_expect(1, fails != 0 ? GG_ERR_ABORTED : GG_OK);
		fake_cga_expect_none();
		at_rest();
	}
}

/* S1-R91, S1-R93: the same on SMs in several words: each gets as many of its CTAs as without a wave. */
static void cga_of_many_sms(void **state)
{
	static const uint32_t more[] = { 0, 1, 40 };
	const uint32_t sms = 70;

	(void)state;
	for (uint32_t at = 0; at < 3; at++) {
		const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 1, sms + more[at]);

		begin(sms);
		fake_run(1, &tmd);
		assert_int_equal(device.perf->waves, 1);
		assert_int_equal(fake_take_all(), sms + more[at]);
		for (uint32_t sm = 0; sm < sms; sm++) {
			assert_int_equal(fake_on_sm(sm), sm < more[at] ? 2 : 1);
		}
		fake_finish();
		assert_int_equal(fake_expect(1, GG_OK).ctas_lo, sms + more[at]);
		fake_cga_expect_none();
	}
}

/* Puts SMs into GPCs, each after the other, or in turns so that their ranks are not their numbers. */
static void in_gpcs(uint32_t gpcs, uint32_t sms_of_each, bool in_turns)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		const uint32_t gpc = in_turns ? sm % gpcs : sm / sms_of_each;

		device.config->group[sm] = (gpc < gpcs ? gpc : gpcs - 1) | sm << 16;
	}
	assert_int_equal(fake_config(GG_CONFIG_PART_GROUP), GG_OK);
}

/* S1-R91: of two GPCs, whose SMs are in different words, each has the wave of a CGA, one after the other. */
static void cga_of_a_gpc(void **state)
{
	(void)state;
	begin(64);
	in_gpcs(2, 32, false);
	for (uint32_t gpc = 0; gpc < 2; gpc++) {
		const struct gg_tmd tmd = fake_with_affinity(fake_cga(GG_DOMAIN_GPC, 1, 40),
							     (uint64_t)UINT32_MAX << 32 * gpc);

		fake_run(gpc, &tmd);
		assert_int_equal(device.perf->waves, gpc + 1);
		fake_cga_check();
		assert_int_equal(fake_cta_count, 40);
		for (uint32_t sm = 0; sm < 64; sm++) {
			assert_int_equal(fake_on_sm(sm), sm / 32 != gpc ? 0 : sm % 32 < 8 ? 2 : 1);
		}
		fake_end_all();
		assert_int_equal(fake_expect(gpc, GG_OK).ctas_lo, 40);
		fake_cga_expect_none();
	}
	at_rest();
}

/* A CGA whose CTAs do not all go to SMs that hold nothing is no wave, and is launched whole. */
static void cga_beside_others(void **state)
{
	const struct gg_tmd one = fake_tmd(1);

	(void)state;
	for (uint32_t ctas = 1; ctas < 8 * SMS; ctas++) {
		const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 1, ctas);

		begin(SMS);
		fake_run(1, &one);
		fake_take_all();
		fake_run(2, &tmd);
		assert_int_equal(fake_take_all(), 1 + ctas);
		if (ctas > SMS - 1) {
			assert_int_equal(device.perf->waves, 0);
		}
		fake_finish();
		assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 1);
		assert_int_equal(fake_expect(2, GG_OK).ctas_lo, ctas);
		fake_cga_expect_none();
	}
}

/* S1-R71, S1-R135: of a CGA whose SMs have A each member tells where the word of its barrier is, and that word counts all of
 * them; of one whose SMs have not it is zero. */
static void cga_counts(void **state)
{
	(void)state;
	for (uint32_t has = 0; has < 2; has++) {
		const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 1, 2 * SMS);

		begin(SMS);
		if (has == 0) {
			device.cap->features &= ~(1u << GG_FEATURE_ATOMICS);
		}
		device.clusters[0].barriers[0] = 1; /* what an earlier CGA has left */
		fake_run(1, &tmd);
		fake_take_all();
		for (uint32_t sm = 0; sm < SMS; sm++) {
			const struct gg_member *members =
				(const struct gg_member *)device.clusters[sm].members;

			for (uint32_t unit = 0; unit < 2; unit++) {
				assert_int_equal(gg_get(members[unit].rank, GG_MEMBER_RANK),
						 2 * sm + unit);
				assert_int_equal(gg_get(members[unit].rank, GG_MEMBER_HEAD_SM), 0);
				assert_int_equal(gg_get(members[unit].cga, GG_MEMBER_HEAD_UNIT), 0);
			}
		}
		assert_int_equal(device.clusters[0].barriers[0],
				 has == 0 ? 0
					  : GG_CLUSTER_COUNTED |
						    gg_put(GG_CLUSTER_RUNNING, 2 * SMS) |
						    gg_put(GG_CLUSTER_MISSING, 2 * SMS));
		for (uint32_t position = 0; position < 2 * SMS; position++) {
			fake_end_position(1, position, GG_OK);
		}
		fake_expect(1, GG_OK);
		fake_cga_expect_none();
		at_rest();
	}
}

/* S1-R59, S1-R71, S1-R87, S1-R139: CGAs of a task that all fit into SMs that hold nothing are one wave, also if SMs get CTAs of
 * several of them; one bell ends all, and their ids and memory come back. */
static void several_cgas(void **state)
{
	(void)state;
	begin(SMS);
	in_gpcs(2, SMS / 2, false);
	for (uint32_t cgas = 2; cgas <= 2 * FULL; cgas++) {
		const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, cgas, SMS / 2);
		const uint32_t before = bells();

		fake_run(cgas, &tmd);
		assert_int_equal(device.perf->waves, cgas - 1);
		assert_int_equal(device.perf->cgas, (cgas - 1) * (cgas + 2) / 2);
		fake_cga_check();
		assert_int_equal(fake_count(cgas), cgas * SMS / 2);
		for (uint32_t sm = 0; sm < SMS; sm++) {
			assert_int_equal(fake_on_sm(sm), (cgas + (sm < SMS / 2)) / 2);
			for (uint32_t cta = 0; cta < fake_on_sm(sm); cta++) {
				assert_int_equal(
					fake_ctas[fake_at_position(cgas, sm + cta * SMS)].sm, sm);
			}
		}
		for (uint32_t sm = SMS; sm-- > 0;) {
			assert_int_equal(bells(), before);
			fake_end_sm(sm, GG_OK);
		}
		assert_int_equal(bells(), before + 1);
		assert_int_equal(fake_expect(cgas, GG_OK).ctas_lo, cgas * SMS / 2);
		fake_cga_expect_none();
		at_rest();
	}
	assert_int_equal(device.perf->waves_opened, 0);
}

/* Tasks 1 and 2 end well, in any order. */
static void both_end(uint32_t ctas, uint32_t ctas_of_2)
{
	struct gg_completion done;

	fake_finish();
	for (uint32_t count = 0; count < 2; count++) {
		assert_true(fake_completion(&done));
		assert_int_equal(done.status, GG_OK);
		assert_int_equal(done.ctas_lo, done.tag == 1 ? ctas : ctas_of_2);
	}
	fake_cga_expect_none();
	at_rest();
}

/* S1-R67: a CGA that waits for room opens the wave of several; it gets the room and the id of the first one that ends, while
 * another is still there. */
static void one_of_several_ends(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 2 * FULL, SMS / 2);
	const struct gg_tmd other = fake_cga(GG_DOMAIN_GPC, 1, SMS / 2);

	(void)state;
	begin(SMS);
	in_gpcs(2, SMS / 2, false);
	cga_id_set_limit(FULL);
	fake_run(1, &tmd);
	fake_take_all();
	for (uint32_t position = 0; position < SMS / 2; position++) {
		fake_end_position(1, position, GG_OK);
	}
	assert_int_equal(device.perf->waves_opened, 0);
	fake_run(2, &other);
	assert_int_equal(device.perf->waves_opened, 1);
	fake_look();
	fake_settle(100);
	fake_cga_check();
	assert_int_equal(fake_count(1), (2 * FULL - 1) * SMS / 2);
	assert_int_equal(fake_count(2), SMS / 2);
	both_end(2 * FULL * SMS / 2, SMS / 2);
}

/* S1-R67: where the ids do not suffice for all CGAs there is no wave: as many are launched as there are ids. */
static void ids_for_some(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 5, SMS / 2);

	(void)state;
	begin(SMS);
	in_gpcs(2, SMS / 2, false);
	cga_id_set_limit(2);
	fake_run(1, &tmd);
	assert_int_equal(device.perf->waves, 0);
	fake_cga_check();
	assert_int_equal(fake_cta_count, 4 * SMS / 2);
	fake_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 5 * SMS / 2);
	fake_cga_expect_none();
	at_rest();
}

/* S1-R68: nor is there one of more CGAs than can be in flight. */
static void more_than_there_are_records(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, CP_CGAS + 1, 1);
	const uint32_t gpcs = 32, sms_of_each = CP_CGAS / FULL / gpcs + 1;

	(void)state;
	begin(gpcs * sms_of_each);
	in_gpcs(gpcs, sms_of_each, false);
	fake_run(1, &tmd);
	assert_int_equal(device.perf->waves, 0);
	assert_int_equal(fake_take_all(), CP_CGAS);
	fake_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, CP_CGAS + 1);
	fake_cga_expect_none();
	at_rest();
}

static uint32_t any_state;

/* A random number below `below`. */
static uint32_t any(uint32_t below)
{
	any_state = any_state * 1664525u + 1013904223u;
	return (any_state >> 8) % below;
}

/** A device, and a task of several CGAs. */
struct case_of_cgas {
	uint32_t sms, gpcs, sms_of_each;
	bool in_turns;
	struct gg_tmd tmd;
};

static struct case_of_cgas any_case(uint32_t seed)
{
	any_state = seed;

	struct case_of_cgas one = { .gpcs = 1 + any(6), .sms_of_each = 1 + any(12) };

	one.sms = one.gpcs * one.sms_of_each - (any(3) == 0 ? any(one.sms_of_each) : 0);
	const uint32_t fewest = (one.sms + one.gpcs - 1) / one.gpcs; /* of the largest GPC */
	const uint32_t size = any(3) == 0 ? 1 + any(2 * fewest) : fewest * (1 + any(2));

	one.in_turns = any(2) != 0;
	one.tmd = fake_cga(GG_DOMAIN_GPC, 1 + any(12), size);
	if (any(2) != 0) {
		one.tmd.shared_bytes = device.resources.shared_bytes / 4 - 1;
	}
	return one;
}

#define PLACES 512u

/** What tells one CTA of a CGA from another. */
struct place {
	uint32_t sm, start, rank, cga, head;
};

/* Runs it, and finds where its CTAs are. Returns their number. */
static uint32_t find_places(const struct case_of_cgas *one, bool atomics, struct place *places)
{
	fake_device_init(one->sms);
	device.cap->features |= atomics ? 1u << GG_FEATURE_ATOMICS : 0;
	in_gpcs(one->gpcs, one->sms_of_each, one->in_turns);
	fake_run(1, &one->tmd);
	fake_cga_check();
	for (uint32_t index = 0; index < fake_cta_count; index++) {
		const struct gg_member *member = fake_member(index);

		assert_in_range(fake_ctas[index].cta, 0, PLACES - 1);
		places[fake_ctas[index].cta] = (struct place){
			fake_ctas[index].sm,
			fake_ctas[index].start,
			gg_get(member->rank, GG_MEMBER_RANK),
			member->cga,
			member->next,
		};
	}
	return fake_cta_count;
}

/* S1-R59, S1-R71, S1-R91, S1-R93, S1-R139: CTAs of the CGAs of a wave are where they are without waves, in any device that holds
 * nothing; and so are those of the next task. */
static void cgas_where_they_belong(void **state)
{
	static struct place waved[PLACES], plain[PLACES];
	uint32_t waves = 0;

	(void)state;
	fake_device_init(SMS);
	for (uint32_t seed = 0; seed < 600; seed++) {
		const struct case_of_cgas one = any_case(seed);

		for (uint32_t ends = 0; ends < 2; ends++) {
			memset(waved, 0, sizeof(waved));
			memset(plain, 0, sizeof(plain));
			const uint32_t ctas = find_places(&one, false, plain);

			assert_int_equal(find_places(&one, true, waved), ctas);
			assert_memory_equal(waved, plain, sizeof(plain));
			waves += device.perf->cgas > 1 ? device.perf->waves : 0;
			if (ends != 0) {
				fake_end_all();
			}
			fake_run(2, &one.tmd);
			fake_cga_check();
			both_end(one.tmd.grid_x, one.tmd.grid_x);
		}
	}
	assert_in_range(waves, 300, 1199);
}

/* S0-R34: a task that lacks room, for a busy SM that it may run on alone, is passed in the same walk: the wave of the task behind
 * it is open from the beginning, so that each SM is heard when it has room. */
static void behind_one_that_waits(void **state)
{
	(void)state;
	begin(SMS);
	const struct gg_tmd busy = large(1);
	const struct gg_tmd waits = fake_with_affinity(fake_with_priority(busy, 1), 1);
	const struct gg_tmd behind = fake_tmd(SMS - 1);

	fake_run(1, &busy);
	fake_take_all();
	assert_int_equal(fake_ctas[0].sm, 0);
	fake_submit(0, 2, &waits);
	fake_submit(0, 3, &behind);
	fake_take_all();
	assert_int_equal(fake_count(3), SMS - 1);
	assert_int_equal(device.perf->waves, 1);
	assert_int_equal(device.perf->waves_opened, 0);
	assert_int_equal(wave_closed, 0);
	fake_finish();
	for (uint32_t count = 0; count < 3; count++) {
		struct gg_completion done;

		assert_true(fake_completion(&done));
		assert_int_equal(done.status, GG_OK);
	}
	at_rest();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lent),
		cmocka_unit_test(looked_at),
		cmocka_unit_test(assigned_before),
		cmocka_unit_test(ranked),
		cmocka_unit_test(cancelled_at_once),
		cmocka_unit_test(cancelled_later),
		cmocka_unit_test(same_turn),
		cmocka_unit_test(taken_late),
		cmocka_unit_test(counted),
		cmocka_unit_test(few),
		cmocka_unit_test(few_sms),
		cmocka_unit_test(wanted),
		cmocka_unit_test(counted_late),
		cmocka_unit_test(on_both_ways),
		cmocka_unit_test(beside_one_with_room),
		cmocka_unit_test(assigned_before_in_all_words),
		cmocka_unit_test(none_for_busy_sms),
		cmocka_unit_test(over),
		cmocka_unit_test(partly),
		cmocka_unit_test(failed),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(lost),
		cmocka_unit_test(suspended),
		cmocka_unit_test(open_ones),
		cmocka_unit_test(behind_one_that_waits),
		cmocka_unit_test(only_cga),
		cmocka_unit_test(cga_with_the_last_id),
		cmocka_unit_test(cga_of_many_sms),
		cmocka_unit_test(cga_of_a_gpc),
		cmocka_unit_test(cga_beside_others),
		cmocka_unit_test(cga_leaves),
		cmocka_unit_test(cga_counts),
		cmocka_unit_test(several_cgas),
		cmocka_unit_test(one_of_several_ends),
		cmocka_unit_test(ids_for_some),
		cmocka_unit_test(more_than_there_are_records),
		cmocka_unit_test(cgas_where_they_belong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
