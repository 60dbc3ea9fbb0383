/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exceptions: cause, address, and the way back, on every hart; each hart knows its number, by two registers,
 * and has a word of memory of its own, from which the trap handler's t0 comes back.
 */
#include "smoke.h"

static volatile uint32_t kept[SMOKE_HARTS], done[SMOKE_HARTS];

/* What each hart keeps in its word while all the others do the same. */
static void check_scratch(uint32_t hart)
{
	HART_SCRATCH = 0x5c000000u + hart;
	kept[hart] = 1;
	for (uint32_t h = 0; h < MAILBOX_HARTS; h++) {
		while (kept[h] == 0) {
		}
	}
	CHECK(HART_SCRATCH == 0x5c000000u + hart);
}

void smoke(uint32_t hart)
{
	const struct traps *mine = &traps[hart];

	CHECK(MAILBOX_WHOAMI == hart && HART_NUMBER == hart);
	check_scratch(hart);
	__asm__ volatile("ecall" : : : "memory");
	CHECK(mine->count == 1 && mine->cause == 11);
	__asm__ volatile(".balign 4\n\t.word 0xffffffff" : : : "memory");
	CHECK(mine->count == 2 && mine->cause == 2);
	CHECK((mine->epc & 3) == 0 && mine->epc > 0x80000000u && mine->epc < 0x80010000u);
	done[hart] = 1;
	if (hart == 0) {
		for (uint32_t h = 0; h < MAILBOX_HARTS; h++) {
			while (done[h] == 0) {
			}
		}
	}
}
