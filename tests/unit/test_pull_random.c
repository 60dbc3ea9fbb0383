/* SPDX-License-Identifier: Apache-2.0 */
/* The pull protocol under random interleavings of all accesses to shared words: each item is done
 * exactly once. GANGER_SEED repeats a run, or with GANGER_CASES=1 a single case.
 * sources: firmware/pull/nd_range.c firmware/pull/chunk.c firmware/pull/work_queue.c
 * firmware/pull/local_queue.c tests/unit/pull_world.c tests/unit/pull_world_cp.c
 * tests/unit/pull_fibers.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/pull_world.h"

#define CASES 10000u
#define SEED  20091230u

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text != NULL ? strtoull(text, NULL, 0) : otherwise;
}

/* S4-R16, S4-R45, S4-R46, S4-R47, S4-R48, S4-R51, S4-R74, S4-R85, S4-R97, S4-R102, S4-R112, S4-R114,
 * S4-R115, S4-R116, S4-C1, S4-C8, S4-V8, S4-V11: 1 to 64 units of random speeds, some of which die,
 * near and in two far groups, over sets of 1 to 8 dimensions, in fewer slots than there are tasks. */
static void each_item_once(void **state)
{
	const uint64_t seed = from_environment("GANGER_SEED", SEED);
	const uint64_t cases = from_environment("GANGER_CASES", CASES);
	uint64_t grants = 0, deaths = 0;

	(void)state;
	printf("seed %llu, %llu cases\n", (unsigned long long)seed, (unsigned long long)cases);
	for (uint64_t at = 0; at < cases; at++) {
		const char *broken = world_case(seed + at);

		if (broken != NULL) {
			fail_msg("GANGER_SEED=%llu GANGER_CASES=1: %s",
				 (unsigned long long)(seed + at), broken);
		}
		grants += world.grants;
		deaths += world.deaths;
	}
	printf("%llu grants, %llu deaths\n", (unsigned long long)grants,
	       (unsigned long long)deaths);
	/* The cases do what they are for. */
	assert_true(grants >= cases && (cases < 100 || deaths > 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_item_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
