/* SPDX-License-Identifier: Apache-2.0 */
/* Members that have not started: what is in their memory is not their context's yet.
 * sources: firmware/sm/cga/cga.c firmware/sm/cga/remote.c firmware/sm/protect.c firmware/sm/position.c
 *          firmware/sm/units.c hal/drivers/pmp_encode.c tests/unit/fake_members.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/cga/cga.h"
#include "firmware/sm/cga/remote.h"
#include "firmware/sm/protect.h"
#include "tests/unit/fake_members.h"

#define SHARED 100u

/* Two members: rank 0 runs on SM 0; rank 1 is unit 3 of SM 1, where a CTA with the sequence number `before` ended. */
static void begin(uint32_t before)
{
	members_init(2, 1, SHARED);
	members_block(1)->gone[3] = before;
	members_put(0, 0, 0, 7);
	members_arrive(1, 1, 3, 7);
	members_link();
}

static int32_t reach(void)
{
	return remote_open(members_sm(0), members_cta(0), members_shared(1));
}

/* S1-R137, S1-R145, S3-R45: no window opens to a member that has not started; a CTA that accesses it gives way,
 * repeats the access, and succeeds as soon as it has started. Where it lies can be asked before. */
static void not_before_it_has_started(void **state)
{
	const uint32_t before[] = { 0, 6, ~6u, INT32_MAX };

	(void)state;
	for (uint32_t index = 0; index < 4; index++) {
		uintptr_t mapped = 0;

		begin(before[index]);
		for (uint32_t times = 1; times < 4; times++) {
			assert_int_equal(reach(), GG_OK);
			assert_int_equal(members_cta(0)->windows, 0);
			assert_int_equal(members.yields, times);
		}
		assert_int_equal(
			remote_map(members_sm(0), members_cta(0), members_shared(0), 1, &mapped),
			GG_OK);
		assert_int_equal(mapped, members_shared(1));
		cga_begin(members_sm(1), members_cta(1));
		assert_int_equal(reach(), GG_OK);
		assert_int_equal(members_cta(0)->windows, 1);
		assert_int_equal(members.yields, 3);
		assert_true(protect_load(members_sm(0), members_cta(0)));
		assert_int_equal(members_cta(0)->windows, 1);
	}
}

/* S1-R145, S1-R156: one that is stopped with its task before it has started is not reached either; one that has ended
 * is gone. */
static void ended_before_it_starts(void **state)
{
	(void)state;
	begin(0);
	assert_int_equal(reach(), GG_OK);
	cga_leave(members_sm(1), members_cta(1), GG_ERR_CANCELLED);
	assert_int_equal(reach(), GG_OK);
	assert_int_equal(members_cta(0)->windows, 0);
	assert_int_equal(members.yields, 2);
	cga_leave(members_sm(1), members_cta(1), GG_OK);
	assert_int_equal(reach(), GG_ERR_CLUSTER_GONE);
	assert_int_equal(members.yields, 2);
}

/* S1-R155: outside of its shared memory is an error also before it has started. */
static void a_wrong_address_is_wrong_at_once(void **state)
{
	(void)state;
	begin(0);
	assert_int_equal(remote_open(members_sm(0), members_cta(0), members_shared(1) - 1),
			 GG_ERR_CLUSTER_RANGE);
	assert_int_equal(remote_open(members_sm(0), members_cta(0), members_shared(1) + SHARED),
			 GG_ERR_CLUSTER_RANGE);
	assert_int_equal(members.yields, 0);
}

/* S1-R145: cores with a coarse grain: a window never begins before the member's shared memory, nor reaches into the
 * next unit; where it cannot be exact no window opens, and the CTA ends instead of reaching too far. */
static void coarse_grains(void **state)
{
	(void)state;
	for (uint32_t grain = 4; grain <= 4096; grain *= 2) {
		members_line_up(2, SHARED);

		struct sm *sm = members_sm(0);
		struct sm_cta *cta = members_cta(0);

		sm->protection.grain = grain;
		assert_true(protect_load(sm, cta));

		const struct protection_table *table = &sm->opened;
		const uint32_t own = members.entries;

		assert_int_equal(remote_open(sm, cta, members_shared(1)), GG_OK);
		assert_int_equal(protect_load(sm, cta), grain <= GG_CTA_BYTES);
		if (grain > GG_CTA_BYTES) {
			continue;
		}
		assert_true(table->entries > own);
		for (uint32_t entry = own; entry < table->entries; entry++) {
			const uintptr_t address = table->address[entry] << 2;

			assert_true(address >= members_shared(1));
			assert_true(address <= members_shared(1) + MEMBERS_UNIT - 1024 - 256);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(not_before_it_has_started),
		cmocka_unit_test(ended_before_it_starts),
		cmocka_unit_test(a_wrong_address_is_wrong_at_once),
		cmocka_unit_test(coarse_grains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
