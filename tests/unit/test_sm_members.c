/* SPDX-License-Identifier: Apache-2.0 */
/* What an SM does for the CTAs of a CGA: where the others are, windows into their memory.
 * sources: firmware/sm/cga/cga.c firmware/sm/cga/remote.c firmware/sm/protect.c firmware/sm/position.c
 *          firmware/sm/units.c hal/drivers/pmp_encode.c tests/unit/fake_members.c */
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
#include "firmware/sm/cga/remote.h"
#include "firmware/sm/protect.h"
#include "firmware/sm/units.h"
#include "tests/unit/fake_members.h"

#define SHARED 100u

/* A free run of units on some SM for each member, in any order; strangers of another CGA between. */
static void scatter(uint32_t count, uint32_t units)
{
	uint32_t taken[MEMBERS_SMS] = { 0 };

	members_init(count, units, SHARED);
	for (uint32_t rank = 0; rank < count;) {
		const uint32_t sm = (uint32_t)random() % MEMBERS_SMS;
		const uint32_t unit = (uint32_t)random() % (SM_UNITS_MAX - units + 1);
		const uint32_t mask = ((1u << units) - 1) << unit;

		if ((taken[sm] & mask) != 0) {
			continue;
		}
		taken[sm] |= mask;
		if (random() % 4 == 0) {
			members_entry(sm, unit)->sequence = 6;
			continue;
		}
		members_put(rank, sm, unit, 7);
		rank++;
	}
	members_link();
}

static void end(uint32_t rank)
{
	cga_leave(members_sm(rank), members_cta(rank), GG_OK);
}

/* S1-R27, S1-R71, S1-R72, S1-R138, S1-R144, S1-G2: from each member to each other one by its rank, and from an
 * address back to its rank. */
static void everyone_finds_everyone(void **state)
{
	(void)state;
	srandom(2);
	for (uint32_t run = 0; run < 60; run++) {
		const uint32_t units = 1 + (uint32_t)random() % 4;

		scatter(1 + (uint32_t)random() % (48 / units), units);
		for (uint32_t pair = 0; pair < members.count * members.count; pair++) {
			const uint32_t from = pair / members.count, to = pair % members.count;
			const struct sm *sm = members_sm(from);
			const struct sm_cta *cta = members_cta(from);
			uintptr_t mapped = 0, rank = 0;

			assert_int_equal(cga_find(sm, cta, to), members.place[to]);
			assert_int_equal(remote_map(sm, cta, members_shared(from) + 5, to, &mapped),
					 GG_OK);
			assert_int_equal(mapped, members_shared(to) + 5);
			assert_int_equal(remote_rank(sm, cta, mapped, &rank), GG_OK);
			assert_int_equal(rank, to);
		}
	}
}

/* S1-R145, S1-R155, S1-Q23, S1-G3: of a member's memory exactly its shared memory opens, of a stranger's nothing. */
static void only_shared_memory_opens(void **state)
{
	(void)state;
	srandom(3);
	for (uint32_t run = 0; run < 300; run++) {
		const uint32_t units = 1 + (uint32_t)random() % 4;

		scatter(2 + (uint32_t)random() % (44 / units), units);

		struct sm *sm = members_sm(0);
		struct sm_cta *cta = members_cta(0);

		for (uint32_t number = 0; number < MEMBERS_SMS * SM_UNITS_MAX; number++) {
			const uintptr_t unit = MEMBERS_UNITS + (uintptr_t)number * MEMBERS_UNIT;
			const uintptr_t address = unit + (uintptr_t)(random() % MEMBERS_UNIT);
			int32_t expected = GG_ERR_CLUSTER_RANGE;

			for (uint32_t rank = 0; rank < members.count; rank++) {
				if (address - members_shared(rank) < SHARED) {
					expected = rank == 0 ? GG_ERR_FAULT_ACCESS : GG_OK;
				}
			}
			cta->windows = 0;
			assert_int_equal(remote_open(sm, cta, address), expected);
		}
		cta->windows = 0;
		assert_int_equal(remote_open(sm, cta, members_shared(1)), GG_OK);
		assert_int_equal(cta->window[0], members.place[1]);
		assert_int_equal(remote_open(sm, cta, members_shared(1) + SHARED - 1),
				 GG_ERR_CLUSTER_RANGE); /* open: the access goes beyond */
		assert_int_equal(remote_open(sm, cta, members_shared(1) - 1), GG_ERR_CLUSTER_RANGE);
		assert_int_equal(remote_open(sm, cta, members_shared(1) + SHARED),
				 GG_ERR_CLUSTER_RANGE);
		assert_int_equal(remote_open(sm, cta, MEMBERS_UNITS - 1), GG_ERR_FAULT_ACCESS);
		assert_int_equal(
			remote_open(sm, cta,
				    MEMBERS_UNITS + MEMBERS_SMS * SM_UNITS_MAX * MEMBERS_UNIT),
			GG_ERR_FAULT_ACCESS);
		assert_int_equal(cta->windows, 1);
	}
}

/* S1-R159, S1-Q24: what a kernel may ask to be mapped. */
static void wrong_maps(void **state)
{
	uintptr_t mapped = 1;

	(void)state;
	members_line_up(5, SHARED);

	const struct sm *sm = members_sm(2);
	const struct sm_cta *cta = members_cta(2);
	const uintptr_t shared = members_shared(2);

	assert_int_equal(remote_map(sm, cta, shared, 5, &mapped), GG_ERR_CLUSTER_RANK);
	assert_int_equal(remote_map(sm, cta, shared, UINTPTR_MAX, &mapped), GG_ERR_CLUSTER_RANK);
	assert_int_equal(remote_map(sm, cta, shared - 1, 1, &mapped), GG_ERR_CLUSTER_RANGE);
	assert_int_equal(remote_map(sm, cta, shared + SHARED, 1, &mapped), GG_ERR_CLUSTER_RANGE);
	assert_int_equal(remote_map(sm, cta, members_shared(1), 1, &mapped), GG_ERR_CLUSTER_RANGE);
	assert_int_equal(mapped, 1);
	assert_int_equal(remote_map(sm, cta, shared + SHARED - 1, 4, &mapped), GG_OK);
	assert_int_equal(mapped, members_shared(4) + SHARED - 1);
}

/* S1-R72: in a plain grid each CTA is a cluster of its own. */
static void a_plain_grid(void **state)
{
	uintptr_t mapped = 0, rank = 1;

	(void)state;
	members_init(1, 1, SHARED);
	members.tmd.cluster_xy = 0;

	const struct sm_cta *cta = &members.sm[1].ctas[3];
	const uintptr_t shared = members.sm[1].units + 3 * MEMBERS_UNIT + 1024 + GG_CTA_BYTES;

	assert_int_equal(remote_map(&members.sm[1], cta, shared + 8, 0, &mapped), GG_OK);
	assert_int_equal(mapped, shared + 8);
	assert_int_equal(remote_map(&members.sm[1], cta, shared, 1, &mapped), GG_ERR_CLUSTER_RANK);
	assert_int_equal(remote_rank(&members.sm[1], cta, shared, &rank), GG_OK);
	assert_int_equal(rank, 0);
	assert_int_equal(remote_rank(&members.sm[1], cta, shared - MEMBERS_UNIT, &rank),
			 GG_ERR_CLUSTER_RANGE);
}

/* S1-R146, S1-R150, S1-R152, S1-R155: a member that has ended is not reached any more, and its window is
 * closed. */
static void members_that_are_gone(void **state)
{
	uintptr_t mapped = 0;

	(void)state;
	members_line_up(12, SHARED);

	struct sm *sm = members_sm(0);
	struct sm_cta *cta = members_cta(0);

	for (uint32_t rank = 9; rank <= 11; rank++) {
		assert_int_equal(remote_open(sm, cta, members_shared(rank)), GG_OK);
	}
	end(10);
	assert_int_equal(members_block(1)->gone[2], 7);
	remote_prune(sm, cta);
	assert_int_equal(cta->windows, 2);
	assert_int_equal(cta->window[0], members.place[9]);
	assert_int_equal(cta->window[1], members.place[11]);
	assert_int_equal(cta->protection_of, 0);
	assert_int_equal(remote_open(sm, cta, members_shared(10)), GG_ERR_CLUSTER_GONE);
	assert_int_equal(remote_map(sm, cta, members_shared(0), 10, &mapped), GG_ERR_CLUSTER_GONE);
	assert_int_equal(cta->windows, 2);
	cta->protection_of = 1;
	end(0);
	assert_int_equal(cta->windows, 0);
	assert_int_equal(cta->protection_of, 0); /* the next CTA there must not have them */
}

/* S1-R146, S1-R156: one that failed, or was stopped with its task, can be reached until its CGA has ended: others that
 * do so do not hide why the task fails. */
static void members_that_failed(void **state)
{
	static const int32_t failures[] = { GG_ERR_ABORTED, GG_ERR_CANCELLED };
	uintptr_t mapped = 0;

	(void)state;
	members_line_up(12, SHARED);

	struct sm *sm = members_sm(0);
	struct sm_cta *cta = members_cta(0);

	for (uint32_t i = 0; i < 2; i++) {
		cga_leave(members_sm(9 + i), members_cta(9 + i), failures[i]);
		assert_int_not_equal(members_block(1)->gone[1 + i], 7);
		assert_int_equal(remote_map(sm, cta, members_shared(0), 9 + i, &mapped), GG_OK);
		assert_int_equal(remote_open(sm, cta, members_shared(9 + i)), GG_OK);
		remote_prune(sm, cta);
		assert_int_equal(cta->windows, 1 + i);
	}
}

/* S1-R145: as many windows as the core has entries for, one to four; the oldest makes place. */
static void windows_fit_the_core(void **state)
{
	(void)state;
	for (uint32_t entries = 8; entries <= 16; entries++) {
		members_line_up(12, SHARED);

		struct sm *sm = members_sm(0);
		struct sm_cta *cta = members_cta(0);

		sm->protection.entries = entries;
		/* two entries each: code, arguments and heap are no blocks of a power of two */
		members.tmd.code_lo = 0x1004;
		members.tmd.code_bytes = 0x30;
		members.tmd.args_lo = 0x2010;
		members.tmd.args_bytes = 24;
		members.tmd.heap_lo = 0x4000;
		members.tmd.heap_bytes_lo = 0x3000;
		assert_true(protect_load(sm, cta));

		const uint32_t own = members.entries;
		const uint32_t fit = (entries - own) / 2 < 4 ? (entries - own) / 2 : 4;

		for (uint32_t rank = 1; rank < 12 && fit != 0; rank++) {
			assert_int_equal(remote_open(sm, cta, members_shared(rank)), GG_OK);
			assert_true(protect_load(sm, cta));
			assert_int_equal(cta->windows, rank < fit ? rank : fit);
			assert_int_equal(cta->window[cta->windows - 1], members.place[rank]);
			assert_int_equal(members.entries, own + 2 * cta->windows);
		}
		if (fit == 0) {
			assert_int_equal(remote_open(sm, cta, members_shared(1)), GG_OK);
			assert_false(protect_load(sm, cta));
		}
	}
}

/* S1-R152: when a CTA gets the hart again, the windows of members that ended meanwhile are closed. */
static void a_turn_begins_without_the_dead(void **state)
{
	(void)state;
	members_line_up(4, SHARED);

	struct sm *sm = members_sm(0);
	struct sm_cta *cta = members_cta(0);

	assert_int_equal(remote_open(sm, cta, members_shared(1)), GG_OK);
	assert_true(protect_load(sm, cta));

	const uint32_t with = members.entries;

	end(1);
	assert_true(protect_load(sm, cta));
	assert_int_equal(cta->windows, 0);
	assert_true(members.entries < with);
}

static void assert_own_memory(uint32_t rank)
{
	const struct sm_cta *cta = members_cta(rank);

	assert_true(protect_load(members_sm(rank), members_cta(rank)));
	assert_int_equal(members.base, cta->base);
	assert_int_equal(members.bytes, cta->units * MEMBERS_UNIT);
}

/* S3-R45, S1-R145: the table of a task is loaded once, and then only the place of each CTA's own memory changes, until
 * a CTA with a window or one of another task had the hart. */
static void a_table_for_each_task(void **state)
{
	(void)state;
	members_line_up(12, SHARED);

	struct sm *sm = members_sm(0);
	const struct {
		uint32_t rank, loads, moves;
	} steps[] = {
		{ 0, 1, 0 }, { 0, 1, 0 }, { 1, 1, 1 }, { 2, 1, 2 }, { 0, 1, 3 },
	};

	for (uint32_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		assert_own_memory(steps[i].rank);
		assert_int_equal(members.loads, steps[i].loads);
		assert_int_equal(members.moves, steps[i].moves);
	}
	assert_int_equal(remote_open(sm, members_cta(0), members_shared(9)), GG_OK);
	assert_own_memory(0);
	assert_int_equal(members.loads, 2);
	assert_own_memory(1); /* has no window: nothing of rank 0's table may stay */
	assert_int_equal(members.loads, 3);
	assert_own_memory(2);
	assert_int_equal(members.moves, 4);
	sm->tasks[1] = (struct sm_task){ .tmd = &members.tmd, .primed = 2, .guard = 2 };
	members_cta(3)->task = &sm->tasks[1];
	assert_own_memory(3);
	assert_int_equal(members.loads, 4);
	assert_own_memory(2);
	assert_int_equal(members.loads, 5);
	sm->tasks[0].guard = 3; /* the slot's next task */
	sm->tasks[0].protectable = false;
	assert_own_memory(2);
	assert_int_equal(members.loads, 6);
}

/* S0-R42: what was written for the CTAs of a task at a unit counts until another CTA takes one of its units, or the
 * SM's share changes. */
static void prepared_until_a_unit_is_taken(void **state)
{
	(void)state;
	members_init(4, 2, SHARED);

	struct sm *sm = &members.sm[0];

	for (uint32_t unit = 0; unit < 8; unit += 2) {
		sm->units_known |= 3u << unit; /* nothing is cleared */
		units_take(sm, &sm->ctas[unit]);
	}
	for (uint32_t unit = 0; unit < 8; unit += 2) {
		sm->ctas[unit].block_of = 1;
	}
	sm->ctas[3].units = 2; /* half of what unit 2 has, and half of what unit 4 has */
	units_take(sm, &sm->ctas[3]);
	sm->ctas[3].block_of = 1;
	assert_int_equal(sm->ctas[0].block_of, 1);
	assert_int_equal(sm->ctas[2].block_of, 0);
	assert_int_equal(sm->ctas[4].block_of, 0);
	assert_int_equal(sm->ctas[6].block_of, 1);
	units_take(sm, &sm->ctas[4]);
	assert_int_equal(sm->ctas[3].block_of, 0);
	assert_int_equal(sm->ctas[6].block_of, 1);

	static struct gg_sm_state words = { .share_sequence = 7, .share_sms = 1 };

	sm->state = &words;
	units_take_share(sm);
	assert_int_equal(sm->share_sequence, 7);
	assert_int_equal(sm->ctas[6].block_of, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everyone_finds_everyone),
		cmocka_unit_test(only_shared_memory_opens),
		cmocka_unit_test(wrong_maps),
		cmocka_unit_test(a_plain_grid),
		cmocka_unit_test(members_that_are_gone),
		cmocka_unit_test(members_that_failed),
		cmocka_unit_test(windows_fit_the_core),
		cmocka_unit_test(a_turn_begins_without_the_dead),
		cmocka_unit_test(a_table_for_each_task),
		cmocka_unit_test(prepared_until_a_unit_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
