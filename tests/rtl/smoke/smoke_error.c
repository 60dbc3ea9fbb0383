/* SPDX-License-Identifier: Apache-2.0 */
/* An address where nothing is: an access fault, on a core with a bus error input (has: error). */
#include "smoke.h"

#define NOWHERE 0xe0000000u

void smoke(uint32_t hart)
{
	if (hart != 0) {
		return;
	}
	REGISTER(NOWHERE);
	CHECK(traps[0].count == 1 && traps[0].cause == 5);
	REGISTER(NOWHERE) = 1;
	CHECK(traps[0].count == 2 && traps[0].cause == 7);
	REGISTER(0x80000000u + MAILBOX_RAM);
	CHECK(traps[0].count == 3 && traps[0].cause == 5);
	MAILBOX(0x20) = 1;
	CHECK(traps[0].count == 4 && traps[0].cause == 7);
	__asm__ volatile("la t0, 1f\n\t"
			 "sw t0, %0\n\t"
			 "jr %1\n"
			 "1:"
			 : "=m"(traps[0].resume)
			 : "r"(NOWHERE)
			 : "t0", "memory");
	CHECK(traps[0].count == 5 && traps[0].cause == 1 && traps[0].epc == NOWHERE);
}
