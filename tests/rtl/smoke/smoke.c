/* SPDX-License-Identifier: Apache-2.0 */
#include "smoke.h"

struct traps traps[SMOKE_HARTS];

void pass(void)
{
	FINISHER = 0x5555;
	for (;;) {
	}
}

void fail(uint32_t code)
{
	FINISHER = 0x3333 | code << 16;
	for (;;) {
	}
}

/* Called by the trap handler. Returns where it goes on. */
uint32_t trap(uint32_t hart, uint32_t cause, uint32_t epc);

uint32_t trap(uint32_t hart, uint32_t cause, uint32_t epc)
{
	struct traps *mine = &traps[hart];

	mine->cause = cause;
	mine->epc = epc;
	mine->count++;
	if ((cause & INTERRUPT) != 0) {
		csr_clear(mie, 1u << (cause & 31));
		return epc;
	}
	if (mine->resume != 0) {
		csr_set(mstatus, 0x1800); /* back to machine mode, also from U-mode */
		epc = mine->resume - 4;
		mine->resume = 0;
	}
	return epc + 4;
}

void interrupt_on(uint32_t source)
{
	csr_set(mie, 1u << source);
	csr_set(mstatus, 8);
}

void wait_for_traps(uint32_t hart, uint32_t count, uint32_t line)
{
	for (uint32_t i = 0; traps[hart].count < count; i++) {
		if (i == 100000) {
			fail(line);
		}
	}
	CHECK(traps[hart].count == count);
}
