/* SPDX-License-Identifier: Apache-2.0 */
/* Software interrupts: hart 0 to each other hart and back; a hart that does not exist has no msip. */
#include "smoke.h"

static volatile uint32_t ready[SMOKE_HARTS];

static void answer(uint32_t hart)
{
	interrupt_on(SOFTWARE);
	ready[hart] = 1;
	wait_for_traps(hart, 1, __LINE__);
	CHECK(traps[hart].cause == (INTERRUPT | SOFTWARE));
	CHECK(MSIP(hart) == 1);
	MSIP(hart) = 0;
	CHECK(MSIP(hart) == 0);
	MSIP(0) = 1;
}

void smoke(uint32_t hart)
{
	const uint32_t harts = MAILBOX_HARTS;

	if (hart != 0) {
		answer(hart);
		return;
	}
	MSIP(harts) = 1;
	CHECK(MSIP(harts) == 0);
	for (uint32_t h = 1; h < harts; h++) {
		while (ready[h] == 0) {
		}
		MSIP(h) = 1;
		interrupt_on(SOFTWARE);
		wait_for_traps(0, h, __LINE__);
		CHECK(traps[0].cause == (INTERRUPT | SOFTWARE));
		MSIP(0) = 0;
	}
}
