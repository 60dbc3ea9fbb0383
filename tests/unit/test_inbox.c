/* SPDX-License-Identifier: Apache-2.0 */
/* The bells of SMs: what the control processor has heard of, and of which SM it begins anew.
 * sources: scheduler tests/unit/fake_run.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/cp/collect/inbox.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define SMS 8u

static void all_heard(void)
{
	assert_memory_equal(inbox_heard, device.bells, SMS);
}

/* Each SM has rung, and all of it is heard of, on the short way, too. */
static void begin(void)
{
	const struct gg_tmd tmd = fake_tmd(1);

	fake_device_init(SMS);
	for (uint32_t tag = 0; tag < SMS; tag++) {
		fake_run(tag, &tmd);
		assert_int_equal(fake_take_all(), 1);
		for (uint32_t rings = 0; rings < tag; rings++) {
			fake_bell(fake_ctas[0].sm);
		}
		fake_end_all();
		fake_expect(tag, GG_OK);
		all_heard();
	}
	for (uint32_t sm = 0; sm < SMS; sm++) {
		fake_bell(sm);
	}
	fake_settle(100);
	all_heard();
}

/* At the start no SM has been heard of: the first ring of each one is news. */
static void at_the_start(void **state)
{
	(void)state;
	begin();
	memset(inbox_heard, 1, sizeof(inbox_heard));
	inbox_init();
	for (uint32_t word = 0; word < CP_SMS / 4; word++) {
		assert_int_equal(inbox_heard[word], 0);
	}
}

/* An SM that starts anew begins to count its rings anew; the others go on. */
static void one_starts_anew(void **state)
{
	unsigned char bells[SMS];

	(void)state;
	for (uint32_t sm = 0; sm < SMS; sm++) {
		begin();
		memcpy(bells, device.bells, SMS);
		assert_int_not_equal(bells[sm], 0);
		bells[sm] = 0;
		inbox_forget(sm);
		assert_memory_equal(device.bells, bells, SMS);
		all_heard();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_the_start),
		cmocka_unit_test(one_starts_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
