/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_loss.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/wave/wave.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

void fake_lose(uint32_t sm)
{
	fake_sm_stop(sm);
	fake_settle(100);
}

void fake_ask_for_reset(uint32_t sm)
{
	fake_post(1, (struct gg_command){
			     .header = GG_OPCODE_RESET_SM, .tag = FAKE_RESET, .argument0 = sm });
	fake_settle(100);
}

void fake_revive(uint32_t sm)
{
	fake_ask_for_reset(sm);
	if (!fake_hal.stopped[sm] && device.sms[sm].hart_state == GG_HART_STATE_STARTED) {
		fake_lose(sm);
	}
	fake_sm_start(sm);
	fake_settle(100);
	fake_expect(FAKE_RESET, GG_OK);
}

bool fake_reset(uint32_t sm)
{
	fake_ask_for_reset(sm);
	if (device.sms[sm].stop_slot != 0xfffffffeu || fake_hal.stopped[sm]) {
		return false;
	}
	fake_sm_stop(sm);
	fake_settle(1000);
	fake_sm_start(sm);
	return true;
}

void fake_expect_retried(uint32_t tag, uint32_t ctas, uint32_t retried)
{
	const struct gg_completion done = fake_expect(tag, GG_OK);

	assert_int_equal(done.ctas_lo, ctas);
	assert_int_equal(done.retried, retried);
}

void fake_expect_error(uint32_t tag, enum gg_status status, uint32_t field, uint64_t value)
{
	struct gg_completion done;

	fake_stop_all();
	fake_settle(100);
	done = fake_expect(tag, status);
	assert_int_equal(done.field, field);
	assert_int_equal(gg_join(done.value_lo, done.value_hi), value);
}

void fake_loss_at_rest(void)
{
	fake_expect_none();
	assert_int_equal(sm_state_resident(), 0);
	assert_int_equal(task_table_free(), CP_SLOTS);
	assert_int_equal(range_free(), CP_RANGES);
	assert_int_equal(wave_slots, 0);
	assert_int_equal(device.perf->unmatched, 0);
}
