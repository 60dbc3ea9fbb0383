/* SPDX-License-Identifier: Apache-2.0 */
/* Timer: no interrupt before the deadline, one at it, none after the deadline has moved; each hart has its own. */
#include "smoke.h"

#define WAIT 2000u

static volatile uint32_t done[SMOKE_HARTS];

void smoke(uint32_t hart)
{
	const uint32_t wait = WAIT + 500 * hart;
	const uint32_t start = MTIME;

	interrupt_on(TIMER);
	CHECK(traps[hart].count == 0);
	MTIMECMP(hart) = start + wait;
	MTIMECMPH(hart) = 0;
	while (traps[hart].count == 0 && MTIME - start < 100 * WAIT) {
		__asm__ volatile("wfi" : : : "memory");
	}
	CHECK(traps[hart].count == 1 && traps[hart].cause == (INTERRUPT | TIMER));
	CHECK(MTIME - start >= wait && MTIME - start < wait + WAIT);
	MTIMECMPH(hart) = ~0u;
	csr_read(mie);
	interrupt_on(TIMER);
	while (MTIME - start < 2 * wait) {
	}
	CHECK(traps[hart].count <=
	      2); /* one that was on its way when the deadline moved is allowed */
	done[hart] = 1;
	for (uint32_t h = 0; hart == 0 && h < MAILBOX_HARTS; h++) {
		while (done[h] == 0) {
		}
	}
}
