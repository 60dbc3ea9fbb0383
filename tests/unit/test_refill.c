/* SPDX-License-Identifier: Apache-2.0 */
/* A plain grid above the device's capacity, whose SMs are refilled on the short way: what is counted of it.
 * sources: scheduler tests/unit/fake_run.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/express/express.h"
#include "firmware/cp/sms/offer.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define SMS  2u
#define GRID 100u
#define TAG  7u

/* A CTA ends, at times that its SM says. */
static void end_at(uint64_t first, uint64_t last)
{
	const uint32_t sm = fake_ctas[0].sm;

	fake_end(0, GG_OK);

	struct launch_rings *rings = &device.launch[sm];
	struct gg_report *report =
		&rings->reports[(device.sms[sm].report_put - 1) % CP_LAUNCH_ENTRIES];

	report->first_lo = gg_low(first);
	report->first_hi = gg_high(first);
	report->last_lo = gg_low(last);
	report->last_hi = gg_high(last);
}

/* The task's times are those that the SMs have said, and none from before. */
static void times(void **state)
{
	static const uint64_t pairs[][2] = { { UINT64_MAX - 9, UINT64_MAX - 5 }, { 0, 0 } };
	const struct gg_tmd tmd = fake_tmd(GRID);

	(void)state;
	for (uint32_t pair = 0; pair < 2; pair++) {
		fake_device_init(SMS);
		fake_submit(0, TAG, &tmd);
		while (fake_take_all() != 0) {
			end_at(pairs[pair][0], pairs[pair][1]);
		}

		const struct gg_completion done = fake_expect(TAG, GG_OK);

		assert_int_equal(gg_join(done.first_lo, done.first_hi), pairs[pair][0]);
		assert_int_equal(gg_join(done.last_lo, done.last_hi), pairs[pair][1]);
	}
}

/* S1-Q9: CTAs that are issued on the short way pass a CGA that waits, as others do. */
static void issued(void **state)
{
	const struct gg_tmd tmd = fake_tmd(GRID);

	(void)state;
	for (uint32_t way = 0; way < 2; way++) {
		fake_device_init(SMS);
		express_switch(way != 0);
		fake_submit(0, TAG, &tmd);

		const uint32_t before = offer_total();

		fake_finish();
		assert_int_equal(offer_total() - before, GRID);
	}
	express_switch(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times),
		cmocka_unit_test(issued),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
