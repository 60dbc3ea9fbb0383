/* SPDX-License-Identifier: Apache-2.0 */
/* The launch unit: interrupts to a set of harts, bells, the count whose last hart rings, and what STATUS says of it all.
 * It fails with ABSENT where there is no unit, whose place reads 0 then. */
#include "smoke.h"

#define ABSENT 4095u
#define IDLE   1u
#define DONE   2u
#define SLOT   3u

static volatile uint32_t go, counted[SMOKE_HARTS], found[SMOKE_HARTS];

static void answer(uint32_t hart)
{
	interrupt_on(SOFTWARE);
	wait_for_traps(hart, 1, __LINE__);
	CHECK(traps[hart].cause == (INTERRUPT | SOFTWARE));
	CHECK(MSIP(hart) == 1);
	MSIP(hart) = 0;
	LAUNCH_BELL = 0; /* any value */
	while (go != hart) {
	}
	found[hart] = LAUNCH_LEFT(SLOT);
	counted[hart] = 1;
}

void smoke(uint32_t hart)
{
	const uint32_t harts = MAILBOX_HARTS;
	const uint32_t others = (harts == 32 ? ~0u : (1u << harts) - 1) & ~1u;
	uint32_t rung = 0;

	if (hart != 0) {
		answer(hart);
		return;
	}
	if (LAUNCH_ID == 0) {
		fail(ABSENT);
	}
	CHECK(LAUNCH_ID == 0x47474c55);
	CHECK(LAUNCH_STATUS == (IDLE | DONE));
	LAUNCH_PACE = 31;
	LAUNCH_RING = others;
	CHECK(LAUNCH_STATUS == 0); /* the second hart has not had its interrupt yet */
	while (rung != others) {
		rung |= LAUNCH_BELL;
	}
	CHECK(MSIP(0) == 1);
	MSIP(0) = 0;
	CHECK(LAUNCH_RING == 0);
	CHECK(LAUNCH_STATUS == (IDLE | DONE));
	LAUNCH_LEFT(SLOT) = harts - 1;
	CHECK(LAUNCH_STATUS == 0);
	for (uint32_t h = 1; h < harts; h++) {
		CHECK(LAUNCH_LEFT(SLOT) == harts - h);
		CHECK(MSIP(0) == 0);
		go = h;
		while (counted[h] == 0) {
		}
		CHECK(found[h] == harts - h);
	}
	CHECK(MSIP(0) == 1);
	CHECK(LAUNCH_STATUS == DONE);
	CHECK(LAUNCH_BELL == 1u << (harts - 1));
	CHECK(LAUNCH_STATUS == (IDLE | DONE));
}
