/* SPDX-License-Identifier: Apache-2.0 */
/* The storm on 132 SMs in 8 GPCs of different sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/scale/scale.h"

static const struct scale scale = {
	.gpcs = 8,
	.gpc_sms = { 18, 16, 18, 16, 16, 16, 16, 16 },
	.cpc_sms = 6,
	.tpc_sms = 2,
	.tasks = 2000,
	.rounds = 2,
	.check = 3,
};

/* S1-R2, S1-R4, S1-C1, S1-C6, S1-C20, S1-R133, S1-R134, S1-R141, S1-R149, S1-R151, S1-R200, S0-R35: no SM is
 * over-committed, no CGA is there in part or outside of its domain, ids are unique, all is given back. */
static void all_is_whole_and_given_back(void **state)
{
	(void)state;
	scale_storm(&scale);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(all_is_whole_and_given_back) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
