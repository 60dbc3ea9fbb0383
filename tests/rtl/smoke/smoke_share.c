/* SPDX-License-Identifier: Apache-2.0 */
/* All harts load one word again and again: tests/rtl/test_many_sms.py counts in the trace whose turn it was. */
#include "smoke.h"

#define TURNS 40u

static volatile uint32_t ready[SMOKE_HARTS];

void smoke(uint32_t hart)
{
	ready[hart] = 1;
	for (uint32_t h = 0; h < MAILBOX_HARTS; h++) {
		while (ready[h] == 0) {
		}
	}
	for (uint32_t turn = 0; turn < TURNS; turn++) {
		__asm__ volatile(".rept 16\n\tlw t0, 0(%0)\n\t.endr"
				 :
				 : "r"(traps)
				 : "t0", "memory");
	}
}
