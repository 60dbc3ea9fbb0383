/* SPDX-License-Identifier: Apache-2.0 */
/* An address where nothing is, on a core without a bus error input: reads 0, is no instruction, and nothing hangs. */
#include "smoke.h"

#define NOWHERE 0xe0000000u

void smoke(uint32_t hart)
{
	if (hart != 0) {
		return;
	}
	CHECK(REGISTER(NOWHERE) == 0);
	REGISTER(NOWHERE) = 1;
	CHECK(REGISTER(NOWHERE) == 0);
	CHECK(traps[0].count == 0);
	__asm__ volatile("la t0, 1f\n\t"
			 "sw t0, %0\n\t"
			 "jr %1\n"
			 "1:"
			 : "=m"(traps[0].resume)
			 : "r"(NOWHERE)
			 : "t0", "memory");
	CHECK(traps[0].count == 1 && traps[0].cause == 2 && traps[0].epc == NOWHERE);
}
