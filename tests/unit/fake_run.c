/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_device.h"

struct gg_tmd fake_with_priority(struct gg_tmd tmd, uint32_t priority)
{
	tmd.header &= ~GG_TMD_PRIORITY;
	tmd.header |= gg_put(GG_TMD_PRIORITY, priority);
	return tmd;
}

struct gg_tmd fake_with_mode(struct gg_tmd tmd, enum gg_task_mode mode)
{
	tmd.header &= ~GG_TMD_MODE;
	tmd.header |= gg_put(GG_TMD_MODE, mode);
	return tmd;
}

uint32_t fake_take_all(void)
{
	fake_acknowledge_all();
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		fake_take_packets(sm);
	}
	return fake_cta_count;
}

void fake_end_all(void)
{
	while (fake_cta_count > 0) {
		fake_end(0, GG_OK);
		fake_settle(100);
	}
}

uint32_t fake_on_sm(uint32_t sm)
{
	uint32_t count = 0;

	for (uint32_t index = 0; index < fake_cta_count; index++) {
		count += fake_ctas[index].sm == sm;
	}
	return count;
}

void fake_expect(uint32_t tag, enum gg_status status)
{
	struct gg_completion done;

	assert_true(fake_completion(&done));
	assert_int_equal(done.tag, tag);
	assert_int_equal((int32_t)done.status, status);
}
