/* SPDX-License-Identifier: Apache-2.0 */
/* CGAs on the fake device: placed as a whole or not at all, packets, members.
 * sources: room:accept device tests/unit/fake_cga.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga_place.h"
#include "firmware/cp/cga/cga_record.h"
#include "firmware/cp/sms/sm_state.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

static void expect_over(uint32_t tag)
{
	fake_finish();
	fake_expect(tag, GG_OK);
	fake_cga_expect_none();
}

/* S1-T4, S1-R86, S1-R87, S1-R126, S1-R133, S1-R134, S1-R200, S1-R204, S1-C6, S1-C14: with free slots [2, 1] nothing
 * of a CGA of 4 is launched and nothing of the SMs changes; with one more, all of it. */
static void all_or_nothing(void **state)
{
	(void)state;
	fake_device_init(2);
	fake_fill();
	fake_free(0, 2);
	fake_free(1, 1);

	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 1, 4);
	struct gg_sm_state before[2];

	memcpy(before, device.sms, sizeof(before));
	fake_run(1, &tmd);
	before[0].availability = device.sms[0].availability; /* of the class that was asked last */
	before[1].availability = device.sms[1].availability;
	assert_memory_equal(before, device.sms, sizeof(before));
	assert_int_equal(device.perf->cgas, 0);
	assert_int_equal(device.perf->cga_failures, 1);
	assert_int_equal(device.slots[1].reason, GG_REASON_CLUSTER);
	assert_int_equal(cga_record_live(), 0);
	fake_free(1, 1);
	fake_cga_check();
	assert_int_equal(fake_count(1), 4);
	assert_int_equal(device.perf->cgas, 1);
	fake_finish();
	fake_expect(1, GG_OK);
	fake_expect(FAKE_PLAIN, GG_OK);
	fake_cga_expect_none();
}

/* S1-T4, S1-R86: a plain grid of 4 takes the 3 slots at once. */
static void a_plain_grid_takes_what_there_is(void **state)
{
	(void)state;
	fake_device_init(2);
	fake_fill();
	fake_free(0, 2);
	fake_free(1, 1);

	const struct gg_tmd tmd = fake_tmd(4);

	fake_run(1, &tmd);
	fake_take_all();
	assert_int_equal(fake_count(1), 3);
}

static void three_of_four(uint32_t second, uint32_t want)
{
	const struct gg_tmd tmd = fake_cga_outer(fake_cga(GG_DOMAIN_GPC, 1, 4), GG_DOMAIN_GPU, 3);

	fake_device_init(8); /* two GPCs of four SMs */
	fake_fill();
	fake_free(0, 5);
	fake_free(2, 3);
	fake_free(5, second);
	fake_run(1, &tmd);
	fake_cga_check();
	assert_int_equal(fake_count(1), want);
}

/* S1-R11, S1-R124, S1-R192, S1-R193, S1-T7, S1-R105, S1-R121, S1-R123, S1-C5, S1-C8: three GPC_CGAs of four CTAs
 * fit in GPCs with 8 and 4 free slots, not in 8 and 3, and then nothing of them is launched. */
static void nested_all_or_nothing(void **state)
{
	(void)state;
	three_of_four(3, 0);
	three_of_four(4, 12);
}

static void expect_words(uint32_t sm, uint32_t number, uint32_t first)
{
	const struct gg_packet *packet = &device.launch[sm].packets[number];

	assert_int_equal(gg_join(packet->first_lo, packet->first_hi), first);
	assert_int_equal(gg_get(packet->cga, GG_PACKET_CGA_VALID), 1);
}

/* S1-R15, S1-R54, S1-R57, S1-R130, S1-R59, S1-R104, S1-R114, S1-R137, S1-R194: four CGAs of
 * one session, on SMs that had another task: one interrupt shows all. */
static void many_in_a_session(void **state)
{
	(void)state;
	fake_device_init(2);

	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 4, 3);

	fake_run(1, &tmd);
	assert_int_equal(device.perf->cgas, 4);
	assert_int_equal(device.perf->assignments, 2);
	fake_cga_check();
	assert_int_equal(fake_count(1), 12);
	assert_int_equal(fake_hal.sm_rings[0], 1);
	assert_int_equal(fake_hal.sm_rings[1], 1);
	assert_int_equal(device.perf->packets, 8);
	expect_words(0, 0, 0);
	expect_words(1, 0, 2);
	expect_words(0, 3, 9);
	expect_over(1);
}

/* S1-R97, S1-R59: to SMs that are ready, the packets of a session take one interrupt each. */
static void one_interrupt_for_ready_sms(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 6, 4);

	fake_run(1, &tmd);
	assert_int_equal(fake_take_all(), 8);
	assert_int_equal(fake_hal.sm_rings[0], 1);
	while (fake_cta_count > 0) {
		fake_end(0, GG_OK);
	}
	fake_settle(100);
	assert_int_equal(fake_take_packets(0), 8);
	assert_int_equal(fake_hal.sm_rings[0], 2);
	assert_int_equal(device.perf->packets, 4);
	expect_over(1);
}

/* S1-R59: several CGAs go to one SM with one assignment. */
static void many_on_one_unassigned_sm(void **state)
{
	(void)state;
	fake_device_init(1);

	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_TPC, 4, 2);

	fake_run(1, &tmd);
	assert_int_equal(device.perf->cgas, 4);
	fake_cga_check();
	assert_int_equal(fake_count(1), 8);
	assert_int_equal(device.perf->assignments, 1);
	assert_int_equal(device.launch[0].header.launch_put, 4);
	expect_over(1);
}

/* S1-R78, S1-R79, S1-C11: MULTI_CAST: one CTA of a CGA on an SM, though one SM has more room; else several. */
static void one_cta_an_sm(void **state)
{
	(void)state;
	for (uint32_t spread = 0; spread < 2; spread++) {
		fake_device_init(4);
		fake_fill();
		fake_free(0, 6);
		fake_free(1, 1);
		fake_free(2, 1);

		struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPC, 1, 3);

		tmd = fake_with_mode(tmd, spread != 0 ? GG_TASK_MODE_MULTI_CAST
						      : GG_TASK_MODE_LOAD_BALANCING);
		fake_run(1, &tmd);
		fake_cga_check();
		assert_int_equal(fake_count(1), 3);
		assert_int_equal(fake_ctas[fake_at_position(1, 0)].sm, 0);
		assert_int_equal(fake_ctas[fake_at_position(1, 1)].sm, spread);
	}
}

/* S1-R131, S1-R55, S1-R195: the members of each innermost CGA, of three levels, carry its sequence number. */
static void three_levels(void **state)
{
	(void)state;
	fake_device_init(8);

	struct gg_tmd tmd = fake_cga(GG_DOMAIN_CPC, 2, 3);

	tmd = fake_cga_outer(tmd, GG_DOMAIN_GPC, 2);
	tmd = fake_cga_outer(tmd, GG_DOMAIN_GPU, 2);
	fake_run(1, &tmd);
	assert_int_equal(device.perf->cgas, 2);
	assert_int_equal(cga_record_live(), 2 * (1 + 2 + 4));
	fake_cga_check();
	assert_int_equal(fake_count(1), 24);
	for (uint32_t cta = 0; cta < 24; cta++) {
		const uint32_t sequence = fake_member(fake_at_position(1, cta))->sequence;

		assert_int_equal(sequence, 1 + cta / 3);
	}
	expect_over(1);
}

/* S1-C1, S1-C9, S1-C10, S1-C20, S1-R87, S1-R98, S1-R135: on SMs that other tasks use, any CGA that is launched is
 * resident as a whole; what is not launched leaves everything as it is. */
static void beside_other_tasks(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 300; round++) {
		const uint32_t ctas = (uint32_t)rand() % 14 + 1;
		const struct gg_tmd tmd =
			fake_cga(round % 2 == 0 ? GG_DOMAIN_GPC : GG_DOMAIN_GPU, 3, ctas);
		uint32_t slots = 0;

		fake_device_init(6);
		fake_fill();
		for (uint32_t sm = 0; sm < 6; sm++) {
			const uint32_t free = (uint32_t)rand() % 7;

			fake_free(sm, free);
			slots += free;
		}
		fake_run(1, &tmd);
		fake_cga_check();
		assert_int_equal(fake_count(1) % ctas, 0);
		assert_true(fake_count(1) <= slots);
		if (round % 2 != 0) { /* S1-Q33 */
			const uint32_t most = slots / ctas < 3 ? slots / ctas : 3;

			assert_int_equal(fake_count(1), most * ctas);
		}
		fake_finish();
		fake_cga_expect_none();
	}
}

/* S1-T11, S1-R128, S1-R201, S1-R202, S1-R203, S1-C7: a CTA ends during a session: the live model has its slot, the
 * session's shadow has not; after the commit the live model has what it had, and that one, less what was launched. */
static void completion_during_a_session(void **state)
{
	const struct cga_shape shape = { .levels = 1, .domain = { GG_DOMAIN_GPC }, .parts = { 3 } };
	struct task task = { .rules.needs = { .units = 1, .warps = 1 }, .rules.unit_mask = 1 };
	uint32_t starts;
	uint32_t count;

	(void)state;
	fake_device_init(1);
	starts = sm_state_reserve(0, &task, 5);
	cga_place_begin(&task.rules.needs, NULL);
	assert_true(cga_place_next(&shape));
	sm_state_release(0, &task, starts & -starts, 1);
	assert_int_equal(sm_state_slots(0, &task.rules.needs), 4);
	assert_int_equal(cga_place_pieces(&count)->ctas, 3);
	assert_false(cga_place_next(&shape));
	assert_int_equal(sm_state_slots(0, &task.rules.needs), 4);
	sm_state_reserve(0, &task, 3);
	assert_int_equal(sm_state_slots(0, &task.rules.needs), 3 + 1 - 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_or_nothing),
		cmocka_unit_test(a_plain_grid_takes_what_there_is),
		cmocka_unit_test(nested_all_or_nothing),
		cmocka_unit_test(many_in_a_session),
		cmocka_unit_test(one_interrupt_for_ready_sms),
		cmocka_unit_test(many_on_one_unassigned_sm),
		cmocka_unit_test(one_cta_an_sm),
		cmocka_unit_test(three_levels),
		cmocka_unit_test(beside_other_tasks),
		cmocka_unit_test(completion_during_a_session),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
