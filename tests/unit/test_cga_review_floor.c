/* SPDX-License-Identifier: Apache-2.0 */
/* CGAs of low priorities behind a stream of a high one that never ends: the floor gets them in.
 * sources: room:accept device tests/unit/fake_cga.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/cga/cga_wait.h"
#include "firmware/cp/schedule/minimum_share.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define STREAM 1u /* tag of the plain CTAs of the highest priority */
#define FIRST  2u /* of CGAs of lower ones */
#define SECOND 3u
#define SMS    8u /* two GPCs */

static uint32_t done; /* CTAs of the CGAs that have ended */

/* A CTA ends, whichever. */
static void end_one(void)
{
	const uint32_t index = (uint32_t)rand() % fake_cta_count;

	done += fake_tag(index) != STREAM ? 1 : 0;
	fake_end(index, GG_OK);
	fake_settle(100);
	fake_cga_check();
}

static void run(uint32_t tag, struct gg_tmd tmd, uint32_t priority)
{
	tmd = fake_with_priority(tmd, priority);
	fake_run(tag, &tmd);
}

/* S1-Q9, S1-R134, S0-R03: two of them, large and small, in two priorities or in one, with patience and without, with many
 * ids and with one. */
static void low_priorities_get_in(void **state)
{
	(void)state;
	srand(5);
	for (uint32_t round = 0; round < 16; round++) {
		const struct gg_tmd large = fake_cga(GG_DOMAIN_GPC, 3, 32);
		const struct gg_tmd small =
			fake_cga(round & 1 ? GG_DOMAIN_GPU : GG_DOMAIN_CPC, 9, 5);
		uint32_t turn = 0;

		fake_device_init(SMS);
		cga_wait_set_patience(round & 2 ? 40 : 0);
		cga_id_set_limit(round & 4 ? 1 : 256);
		minimum_share_set(round & 8 ? 20 : 300);
		done = 0;
		run(STREAM, fake_tmd(1000000), 2);
		run(FIRST, large, 5);
		run(SECOND, small, round & 8 ? 7 : 5);
		fake_cga_check();
		for (; turn < 20000 && done < 3 * 32 + 9 * 5; turn++) {
			end_one();
		}
		assert_int_equal(done, 3 * 32 + 9 * 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(low_priorities_get_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
