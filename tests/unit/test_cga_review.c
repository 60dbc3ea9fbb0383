/* SPDX-License-Identifier: Apache-2.0 */
/* CGAs that wait for room and for ids in turn.
 * sources: room:accept device tests/unit/fake_cga.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/cga/cga_wait.h"
#include "firmware/cp/sms/sm_state.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define LARGE  1u /* tag of the CGA that needs a CPC for itself */
#define SMALL  2u /* of a stream of small CGAs, which take ids */
#define STREAM 3u /* of a stream of plain CTAs, which take room */
#define SMS    4u /* a GPC of two CPCs */

/* A CGA that needs a whole CPC waits with the first CPC reserved; behind it a small CGA runs in the other one and has
 * the only id, and plain CTAs have the rest of that. */
static uint64_t begin(uint32_t small_cgas)
{
	const struct gg_tmd large = fake_cga(GG_DOMAIN_CPC, 1, 16);
	const struct gg_tmd small = fake_cga(GG_DOMAIN_CPC, small_cgas, 2);
	const struct gg_tmd stream = fake_tmd(100000);
	uint64_t address;

	fake_device_init(SMS);
	cga_wait_set_patience(0);
	cga_id_set_limit(1);
	fake_fill();
	address = fake_run(LARGE, &large);
	fake_run(SMALL, &small);
	fake_run(STREAM, &stream);
	fake_free(2, 8);
	fake_take_all();
	assert_int_equal(fake_count(SMALL), 2);
	assert_int_equal(fake_count(STREAM), 6);
	return address;
}

/* What runs in the first CPC ends. */
static void first_cpc_ends(void)
{
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		if (fake_ctas[index].sm < 2 && fake_tag(index) != LARGE) {
			fake_end(index, GG_OK);
		}
	}
	fake_settle(1000);
	fake_take_all();
}

static void small_cga_ends(void)
{
	while (fake_count(SMALL) != 0) {
		fake_end(fake_find(SMALL), GG_OK);
	}
	fake_settle(1000);
	fake_take_all();
}

/* S1-Q9, S1-R88, S1-R141: when there is room at last, another has the id. It keeps the room and the next id:
 * otherwise those behind it take the one while it waits for the other, forever. */
static void room_and_ids_in_turn(void **state)
{
	(void)state;
	(void)begin(1000);
	for (uint32_t turn = 0; turn < 50 && fake_count(LARGE) == 0; turn++) {
		first_cpc_ends();
		small_cga_ends();
		fake_cga_check();
	}
	assert_int_equal(fake_count(LARGE), 16);
	assert_true(device.perf->cgas <= 4);
}

/* S1-Q9, S1-R141: SMs are not kept empty for a CGA that waits for an id; the id is kept for it when it waits for room
 * again; and for nobody when it is cancelled. */
static void no_more_is_kept(void **state)
{
	uint64_t address;

	(void)state;
	address = begin(2);
	first_cpc_ends();
	assert_int_equal(fake_count(LARGE), 0);
	assert_int_equal(fake_count(STREAM), 22);
	small_cga_ends();
	assert_int_equal(fake_count(SMALL), 0);
	assert_int_equal(cga_id_free(0), 1);
	assert_int_equal(fake_count(STREAM), 24); /* the room of the small one */
	fake_name(9, GG_OPCODE_CANCEL, address);
	first_cpc_ends();
	assert_int_equal(fake_count(SMALL), 2);
}

/* Of the stream, CTAs on an SM end. */
static void stream_goes_on(uint32_t sm, uint32_t ctas)
{
	fake_end_some(STREAM, sm, ctas);
	fake_take_all();
}

/* S1-Q9, S1-R141: the same when its reservation has moved to the other CPC, because the first one was never free. */
static void kept_where_it_moves(void **state)
{
	(void)state;
	(void)begin(1000);
	first_cpc_ends();
	assert_int_equal(fake_count(STREAM), 22);
	for (uint32_t ctas = 0; device.sms[2].free_ctas == 0; ctas++) {
		assert_true(ctas < 1000);
		stream_goes_on(2, 1);
	}
	small_cga_ends();
	stream_goes_on(0, 2);
	assert_int_equal(fake_count(SMALL), 0);
	assert_int_equal(cga_id_free(0), 1);
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		if (fake_ctas[index].sm >= 2) {
			fake_end(index, GG_OK);
		}
	}
	fake_cga_check();
	assert_int_equal(fake_count(LARGE), 16);
	assert_int_equal(fake_ctas[fake_at_position(LARGE, 0)].sm, 2);
}

/* A CTA of each SM in turn ends, but for those of the fill in the first GPCs; until the large CGA runs. */
static void end_in_turn(uint32_t sms, uint32_t endless_sms)
{
	uint32_t sm = 0;

	for (uint32_t turn = 0; turn < 20000 && fake_count(LARGE) == 0; turn++) {
		sm = sm + 1 < sms ? sm + 1 : 0;
		for (uint32_t index = 0; index < fake_cta_count; index++) {
			const bool endless = sm < endless_sms && fake_tag(index) == FAKE_PLAIN;

			if (fake_ctas[index].sm == sm && !endless) {
				fake_end(index, GG_OK);
				break;
			}
		}
		fake_settle(100);
		fake_take_all();
	}
}

/* S1-Q9, S1-R134: in all GPCs but the last a CTA never ends; the others end, and a stream follows them. A CGA that needs
 * a whole GPC has that one after a while, though it had fewest free slots when a domain was reserved. */
static void one_that_never_ends(void **state)
{
	(void)state;
	for (uint32_t gpcs = 2; gpcs <= 4; gpcs++) {
		const struct gg_tmd large = fake_cga(GG_DOMAIN_GPC, 1, 32);
		const struct gg_tmd stream = fake_tmd(1000000);
		const uint32_t last = (gpcs - 1) * SMS;

		fake_device_init(gpcs * SMS);
		cga_wait_set_patience(0);
		fake_fill();
		for (uint32_t sm = 0; sm < last; sm++) {
			fake_free(sm, sm % SMS == 0 ? 7 : 8);
		}
		fake_run(LARGE, &large);
		fake_run(STREAM, &stream);
		end_in_turn(gpcs * SMS, last);
		assert_int_equal(fake_count(LARGE), 32);
		assert_int_equal(fake_ctas[fake_at_position(LARGE, 0)].sm, last);
		assert_int_equal(device.perf->cga_reservations, gpcs);
	}
}

/* S1-R100, S1-R44: after a reset each SM has the most free slots: as much could run now as on an idle device. */
static void after_a_reset(void **state)
{
	(void)state;
	for (uint32_t sms = 1; sms <= 70; sms += 23) {
		const struct task_needs needs = { .units = 1, .warps = 1 };

		fake_device_init(sms);
		for (uint32_t sm = 0; sm < sms; sm++) {
			assert_int_equal(sm_state_slots(sm, &needs), device.resources.ctas);
			assert_int_equal(sm_state_slots(sm, &needs),
					 sm_state_slots_idle(sm, &needs));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_never_ends),  cmocka_unit_test(after_a_reset),
		cmocka_unit_test(room_and_ids_in_turn), cmocka_unit_test(no_more_is_kept),
		cmocka_unit_test(kept_where_it_moves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
