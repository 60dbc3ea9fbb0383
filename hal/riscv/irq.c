/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/irq.h"

#include "hal/riscv/csr.h"

void irq_disable(void)
{
	csr_clear(mstatus, MSTATUS_MIE);
}

void irq_enable(void)
{
	csr_set(mstatus, MSTATUS_MIE);
}

void irq_source_enable(uint32_t sources)
{
#if HAL_EXTERNAL_CSR != 0
	if ((sources & IRQ_SOURCE_EXTERNAL) != 0) {
		csr_write(HAL_EXTERNAL_CSR, UINTPTR_MAX);
	}
#endif
	csr_set(mie, sources);
}

void irq_source_disable(uint32_t sources)
{
	csr_clear(mie, sources);
}

bool irq_waits(uint32_t source)
{
	return (csr_read(mip) & source) != 0;
}

/* Whether a source is pending and let through. */
static bool wakes(void)
{
	return (csr_read(mip) & csr_read(mie)) != 0;
}

void wait_for_interrupt(void)
{
	if (HAL_WFI != 0) {
		__asm__ volatile("wfi" ::: "memory");
		return;
	}
	while (!wakes()) {
	}
}
