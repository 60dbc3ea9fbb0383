/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_short.h"

#include "firmware/abi/field.h"
#include "firmware/cp/express/express.h"
#include "firmware/cp/loop.h"
#include "firmware/cp/task/stall.h"
#include "tests/unit/fake_device.h"

void fake_post_submit(uint32_t channel, uint32_t tag, uint64_t address)
{
	fake_post(channel, (struct gg_command){ .header = GG_OPCODE_SUBMIT,
						.tag = tag,
						.address_lo = gg_low(address),
						.address_hi = gg_high(address) });
}

bool fake_short_turn(void)
{
	fake_hal.asked = 0;
	loop_wake();
	stall_turn();
	return express_turn();
}

bool fake_is_short(void)
{
	const bool all = fake_short_turn();

	fake_settle(1000);
	return all;
}
