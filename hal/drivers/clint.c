/* SPDX-License-Identifier: Apache-2.0 */
/* Words only: a CLINT takes no byte stores, and a 32-bit bus splits anything longer. */
#include "hal/drivers/clint.h"

#include "hal/fence.h"
#include "hal/hart.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/mmio.h"
#include "hal/timer.h"

static uint32_t *msip(uint32_t hart)
{
	return mmio_word(board_clint.msip, (uintptr_t)hart * 4);
}

void ipi_send(uint32_t hart)
{
	fence_full();
	mmio_write32(msip(hart), 1);
}

void ipi_clear(void)
{
	mmio_write32(msip(hart_id()), 0);
	fence_full();
}

uint32_t timer_hz(void)
{
	return board_clint.hz;
}

/* The high word is one too high first, so no value in between is an early deadline. It does not go to the end of time, because
 * QEMU keeps the alarm of the value in between when the deadline has passed: a clock that skips idle time would go there. */
void timer_set(uint64_t deadline)
{
	uint32_t *mtimecmp = mmio_word(board_clint.mtimecmp, (uintptr_t)hart_id() * 8);

	mmio_write32(&mtimecmp[1], (uint32_t)(deadline >> 32) + 1u);
	mmio_write32(&mtimecmp[0], (uint32_t)deadline);
	mmio_write32(&mtimecmp[1], (uint32_t)(deadline >> 32));
	irq_source_enable(IRQ_SOURCE_TIMER);
}

/* The deadline stays where it is. To move it to the end of time would make an emulator that skips
 * idle time go there. */
void timer_cancel(void)
{
	irq_source_disable(IRQ_SOURCE_TIMER);
}
