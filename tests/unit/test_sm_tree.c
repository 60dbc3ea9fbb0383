/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of the SMs against searches in the table of groups.
 * sources: room:cga memory tests/unit/cga_fixture.c tests/unit/tree_check.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/cga_fixture.h"
#include "tests/unit/tree_check.h"

#define MOST 200u

/* S1-R2, S1-R4: any groups, of any sizes, with ranks in any order. */
static void any_groups(void **state)
{
	(void)state;
	srand(31);
	for (uint32_t round = 0; round < 40; round++) {
		const uint32_t gpcs = 1 + fixture_random(32), spread = 1 + fixture_random(256);
		const uint32_t sms = 1 + fixture_random(round % 4 == 0 ? MOST : 40);

		fixture_init(sms);
		for (uint32_t sm = 0; sm < sms; sm++) {
			fixture_group(sm, fixture_random(gpcs), fixture_random(spread) % 5,
				      fixture_random(spread));
		}
		fixture_grouped();
		fixture_ranks(sms, round % 2 == 0);
		tree_check();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
