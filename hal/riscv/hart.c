/* SPDX-License-Identifier: Apache-2.0 */
/* The caller's half of starting a hart; the hart's own half is in start.S. */
#include "hal/hart.h"

#include "hal/fence.h"
#include "hal/hal.h"
#include "hal/ipi.h"
#include "hal/memory.h"
#include "hal/mmio.h"
#include "hal/riscv/hart_slot.h"

uint32_t hart_count(void)
{
	return memory_map()->harts;
}

enum hart_state hart_state(uint32_t hart)
{
	const struct hart_slot *slot = &hart_slots[hart];

	if (hart == 0) {
		return HART_STARTED;
	}
	/* Read `stopped` first: if it lags behind, the answer is an older state, but never a wrong one. */
	uint32_t stopped = mmio_read32(&slot->stopped);

	fence_acquire();
	uint32_t taken = mmio_read32(&slot->taken);

	if (taken != mmio_read32(&slot->asked)) {
		return HART_START_PENDING;
	}
	return stopped == taken ? HART_STOPPED : HART_STARTED;
}

enum hal_status hart_start(uint32_t hart, uintptr_t entry, uintptr_t argument)
{
	if (hart == 0 || hart >= hart_count()) {
		return HAL_ERR_INVALID_PARAM;
	}
	if (hart_state(hart) != HART_STOPPED) {
		return HAL_ERR_ALREADY_AVAILABLE;
	}
	struct hart_slot *slot = &hart_slots[hart];

	slot->entry = entry;
	slot->argument = argument;
	fence_release();
	mmio_write32(&slot->asked, slot->asked + 1);
	ipi_send(hart);
	return HAL_OK;
}

_Noreturn void hart_stop(void)
{
	void (*stop)(void) = (void (*)(void))(hal_board.cp_base + HART_STOP_OFFSET);

	stop();
	__builtin_unreachable();
}
