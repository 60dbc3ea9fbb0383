/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mailbox block: what it says, and doorbells. The host rings three times and waits for an answer to each; the
 * words at RESULT tell it what the block says.
 */
#include "smoke.h"

#define RINGS  3u
#define RESULT ((volatile uint32_t *)0x80010000u)

void smoke(uint32_t hart)
{
	if (hart != 0) {
		return;
	}
	CHECK(MAILBOX_ID == 0x47474d42u);
	RESULT[0] = MAILBOX_HARTS;
	RESULT[1] = MAILBOX_RAM;
	RESULT[2] = MAILBOX_HZ;
	RESULT[3] = 0x600d;
	CHECK(MAILBOX_TO_CP == 0 && MAILBOX_TO_HOST == 0);
	__asm__ volatile("csrw 0xbc0, %0" : : "r"(1) : "memory"); /* VexRiscv's mask; others trap */
	traps[0].count = 0;
	for (uint32_t ring = 0; ring < RINGS; ring++) {
		interrupt_on(EXTERNAL);
		while (traps[0].count == ring) {
			/* No wfi: it would sleep through an interrupt that came after the look. */
		}
		CHECK(traps[0].count == ring + 1 && traps[0].cause == (INTERRUPT | EXTERNAL));
		CHECK(MAILBOX_TO_CP == 1);
		MAILBOX_TO_CP = 0;
		CHECK(MAILBOX_TO_CP == 1);
		MAILBOX_TO_CP = 1;
		CHECK(MAILBOX_TO_CP == 0);
		MAILBOX_TO_HOST = 1;
		while (MAILBOX_TO_HOST != 0) {
		}
	}
}
