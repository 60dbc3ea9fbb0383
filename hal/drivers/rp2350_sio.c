/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/rp2350_sio.h"

#include "hal/drivers/clint.h"
#include "hal/fence.h"
#include "hal/hart.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/mmio.h"
#include "hal/timer.h"

#define TAKE_BACK 0x100u

void ipi_send(uint32_t hart)
{
	fence_full();
	mmio_write32(rp2350_sio(RP2350_SOFTIRQ), 1u << hart);
}

void ipi_clear(void)
{
	mmio_write32(rp2350_sio(RP2350_SOFTIRQ), TAKE_BACK << hart_id());
	fence_full();
}

uint32_t timer_hz(void)
{
	return board_clint.hz;
}

/* The high word goes to its end first, so no value in between is an early deadline. */
void timer_set(uint64_t deadline)
{
	mmio_write32(rp2350_sio(RP2350_MTIMECMP + 4), UINT32_MAX);
	mmio_write32(rp2350_sio(RP2350_MTIMECMP), (uint32_t)deadline);
	mmio_write32(rp2350_sio(RP2350_MTIMECMP + 4), (uint32_t)(deadline >> 32));
	irq_source_enable(IRQ_SOURCE_TIMER);
}

void timer_cancel(void)
{
	irq_source_disable(IRQ_SOURCE_TIMER);
}
