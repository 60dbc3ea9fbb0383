/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers of CGAs, as an SM sees them.
 * sources: firmware/sm/cga/cga.c firmware/sm/position.c firmware/sm/units.c
 *          tests/unit/fake_members.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/cga/cga.h"
#include "tests/unit/fake_members.h"

#define BOTH (GG_CLUSTER_ARRIVE | GG_CLUSTER_WAIT)

/* Makes the call and says whether the CTA can go on. */
static bool call(uint32_t rank, uintptr_t level, uintptr_t what)
{
	struct sm_cta *cta = members_cta(rank);

	cta->context.x[SM_A0] = level;
	cta->context.x[SM_A0 + 1] = what;
	cta->context.pc = 100;
	cga_barrier(members_sm(rank), cta);
	return cta->state == SM_CTA_STARTED;
}

static uint32_t waits(uint32_t rank, uint32_t level)
{
	const struct gg_cluster *block = members_block(gg_get(members.place[rank], GG_MEMBER_SM));

	return ((block->come[level] ^ block->go[level]) >>
		gg_get(members.place[rank], GG_MEMBER_UNIT)) &
	       1u;
}

/* As the CP does when all have come. */
static void open_barrier(uint32_t level)
{
	for (uint32_t sm = 0; sm < MEMBERS_SMS; sm++) {
		members_block(sm)->go[level] = members_block(sm)->come[level];
		assert_null(cga_look(&members.sm[sm]));
	}
}

/* S1-R135, S1-R136: a CTA that has come waits outside of the queue until the CP lets it go, and is charged for that
 * time. */
static void a_barrier(void **state)
{
	(void)state;
	members_line_up(10, 100);
	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t rank = 0; rank < 10; rank++) {
			members_sm(rank)->now = 50;
			assert_false(call(rank, 0, BOTH));
			assert_int_equal(members_cta(rank)->state, SM_CTA_AT_BARRIER);
			assert_int_equal(members_cta(rank)->context.pc, 104);
			assert_int_equal(members_cta(rank)->context.x[SM_A0], 0);
			assert_int_equal(waits(rank, 0), 1);
			assert_null(cga_look(members_sm(rank)));
			assert_int_equal(members_cta(rank)->state, SM_CTA_AT_BARRIER);
		}
		assert_int_equal(members.bells, 10 * (round + 1));
		members.sm[0].now = 80;
		open_barrier(0);
		for (uint32_t rank = 0; rank < 10; rank++) {
			assert_int_equal(members_cta(rank)->state, SM_CTA_STARTED);
		}
		assert_int_equal(members_cta(0)->used, 30 * (round + 1));
		assert_int_equal(members.sm[0].at_barrier, 0);
	}
}

/* S1-R135: in two halves. A CTA that comes again without having waited waits first, and then calls again. */
static void arrive_and_wait(void **state)
{
	(void)state;
	members_line_up(2, 100);
	assert_true(call(0, 0, GG_CLUSTER_WAIT)); /* nothing to wait for */
	assert_int_equal(waits(0, 0), 0);
	assert_true(call(0, 0, GG_CLUSTER_ARRIVE));
	assert_int_equal(waits(0, 0), 1);
	assert_false(call(0, 0, GG_CLUSTER_ARRIVE));
	assert_int_equal(members_cta(0)->context.pc, 100);
	assert_int_equal(members_cta(0)->context.x[SM_A0 + 1], GG_CLUSTER_ARRIVE);
	open_barrier(0);
	assert_int_equal(members_cta(0)->state, SM_CTA_STARTED);
	assert_true(call(0, 0, GG_CLUSTER_ARRIVE));
	assert_int_equal(members_cta(0)->context.pc, 104);
	open_barrier(0);
	assert_true(call(0, 0, GG_CLUSTER_WAIT));
	assert_int_equal(members.bells, 2);
}

/* S1-R36: levels have bits of their own; a level that the task has not is an error that changes nothing. */
static void levels(void **state)
{
	(void)state;
	members_line_up(2, 100);
	for (uintptr_t level = 1; level <= 4; level++) {
		assert_true(call(0, level, BOTH));
		assert_int_equal((int32_t)members_cta(0)->context.x[SM_A0], GG_ERR_ARGUMENT);
		assert_int_equal(members_cta(0)->context.pc, 104);
	}
	assert_true(call(0, 0, 0));
	assert_int_equal((int32_t)members_cta(0)->context.x[SM_A0], GG_ERR_ARGUMENT);
	assert_true(call(0, 0, BOTH + 1));
	assert_int_equal((int32_t)members_cta(0)->context.x[SM_A0], GG_ERR_ARGUMENT);
	assert_int_equal(members.bells, 0);
	members.tmd.outer = 2 | 1u << 10 | 1u << 20;
	assert_false(call(0, 1, BOTH));
	assert_int_equal(waits(0, 0), 0);
	assert_int_equal(waits(0, 1), 1);
	open_barrier(0);
	assert_int_equal(members_cta(0)->state, SM_CTA_AT_BARRIER);
	open_barrier(1);
	assert_int_equal(members_cta(0)->state, SM_CTA_STARTED);
	members.tmd.cluster_xy = 0;
	assert_true(call(1, 0, BOTH)); /* a plain grid: nobody to wait for */
	assert_int_equal(members_cta(1)->context.x[SM_A0], 0);
	assert_int_equal(waits(1, 0), 0);
}

/* S1-R134: nobody waits forever: the time limit goes on at a barrier, also when only one of two is late. */
static void time_limits(void **state)
{
	(void)state;
	members_line_up(3, 100);

	struct sm *sm = &members.sm[0];

	sm->tasks[0].limit = 100;
	sm->now = 1000;
	members_cta(0)->used = 40;
	assert_false(call(0, 0, BOTH));
	assert_int_equal(sm->barrier_limit, 1060);
	members_cta(1)->used = 70;
	assert_false(call(1, 0, BOTH));
	assert_int_equal(sm->barrier_limit, 1030);
	sm->now = 1029;
	assert_null(cga_look(sm));
	sm->now = 1030;
	assert_ptr_equal(cga_look(sm), members_cta(1));
	cga_leave(sm, members_cta(1), GG_ERR_TIME_LIMIT);
	assert_null(cga_look(sm));
	assert_int_equal(sm->barrier_limit, 1060);
	assert_int_equal(sm->at_barrier, 1);
	assert_int_not_equal(members_block(0)->gone[1], 7); /* it failed */
}

static uint32_t word_of(uint32_t field)
{
	return gg_get(members_block(0)->barriers[0], field);
}

/* S1-R135, S1-R136: SMs with A count who has come, tell nobody of it, and the last one interrupts the SMs of the others. */
static void counted(void **state)
{
	(void)state;
	members_line_up(17, 100);
	members_count(17);
	for (uint32_t round = 1; round < 40; round++) {
		for (uint32_t rank = 0; rank < 16; rank++) {
			assert_false(call(rank, 0, BOTH));
			assert_int_equal(waits(rank, 0), 0);
			assert_int_equal(word_of(GG_CLUSTER_MISSING), 16 - rank);
			assert_null(cga_look(members_sm(rank)));
			assert_int_equal(members_cta(rank)->state, SM_CTA_AT_BARRIER);
		}
		assert_int_equal(members.calls[0], round - 1);
		assert_true(call(16, 0, BOTH));
		assert_int_equal(word_of(GG_CLUSTER_ROUND), round % 16);
		assert_int_equal(word_of(GG_CLUSTER_MISSING), 17);
		assert_int_equal(members_barriers(), round);
		for (uint32_t sm = 0; sm < 3; sm++) {
			/* The last one is alone on its SM. */
			assert_int_equal(members.calls[sm], sm < 2 ? round : 0);
			assert_null(cga_look(&members.sm[sm]));
		}
		for (uint32_t rank = 0; rank < 17; rank++) {
			assert_int_equal(members_cta(rank)->state, SM_CTA_STARTED);
		}
	}
	assert_int_equal(members.bells, 0);
}

/* S1-R136: the last one interrupts its own SM, too, if others wait there. */
static void counted_on_one_sm(void **state)
{
	(void)state;
	members_line_up(2, 100);
	members_count(2);
	assert_false(call(0, 0, BOTH));
	assert_true(call(1, 0, BOTH));
	assert_int_equal(members.calls[0], 1);
	assert_null(cga_look(&members.sm[0]));
	assert_int_equal(members_cta(0)->state, SM_CTA_STARTED);
}

/* S1-R136, S1-R150: nobody waits for a CTA that has ended, whether it has come in this round before or not. */
static void counted_ends(void **state)
{
	(void)state;
	members_line_up(10, 100);
	members_count(10);
	assert_true(call(0, 0, GG_CLUSTER_ARRIVE));
	cga_leave(members_sm(0), members_cta(0), GG_OK); /* it has come */
	assert_int_equal(word_of(GG_CLUSTER_RUNNING), 9);
	assert_int_equal(word_of(GG_CLUSTER_MISSING), 9);
	for (uint32_t rank = 1; rank < 9; rank++) {
		assert_false(call(rank, 0, BOTH));
	}
	assert_int_equal(members.calls[0], 0);
	cga_leave(members_sm(9), members_cta(9), GG_OK); /* it has not: the others have */
	assert_int_equal(members.calls[0], 1);
	assert_int_equal(members.calls[1], 1); /* another one waits there */
	assert_int_equal(word_of(GG_CLUSTER_RUNNING), 8);
	assert_int_equal(word_of(GG_CLUSTER_MISSING), 8);
	assert_null(cga_look(&members.sm[0]));
	assert_null(cga_look(&members.sm[1]));
	for (uint32_t rank = 1; rank < 9; rank++) {
		assert_int_equal(members_cta(rank)->state, SM_CTA_STARTED);
		cga_leave(members_sm(rank), members_cta(rank), GG_OK);
	}
	assert_int_equal(word_of(GG_CLUSTER_RUNNING), 0);
	assert_int_equal(word_of(GG_CLUSTER_MISSING), 0);
	assert_int_equal(members_barriers(), 1); /* ends alone are no barrier */
}

/* S1-R136: once a CTA has failed nobody passes, although all others come, or end. */
static void counted_failure(void **state)
{
	for (uint32_t came = 0; came < 2; came++) {
		(void)state;
		members_line_up(4, 100);
		members_count(4);
		assert_false(call(0, 0, BOTH));
		if (came != 0) {
			assert_true(call(1, 0, GG_CLUSTER_ARRIVE));
		}
		cga_leave(members_sm(1), members_cta(1), GG_ERR_TIME_LIMIT);
		assert_false(call(2, 0, BOTH));
		cga_leave(members_sm(3), members_cta(3), GG_OK);
		assert_null(cga_look(&members.sm[0]));
		assert_int_equal(members_cta(0)->state, SM_CTA_AT_BARRIER);
		assert_int_equal(members_cta(2)->state, SM_CTA_AT_BARRIER);
		assert_int_equal(word_of(GG_CLUSTER_BROKEN), 1);
		assert_int_equal(members_barriers(), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_barrier),    cmocka_unit_test(arrive_and_wait),
		cmocka_unit_test(levels),       cmocka_unit_test(time_limits),
		cmocka_unit_test(counted),      cmocka_unit_test(counted_on_one_sm),
		cmocka_unit_test(counted_ends), cmocka_unit_test(counted_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
