/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/mailbox.h"

#include "hal/doorbell.h"
#include "hal/fence.h"
#include "hal/hart.h"
#include "hal/irq.h"
#include "hal/machine.h"
#include "hal/mmio.h"
#include "hal/riscv/hart_slot.h"
#include "hal/riscv/try.h"

static bool present; /* true: the block is there; written by doorbell_init() */

static uint32_t *mailbox_word(uintptr_t offset)
{
	return mmio_word(board_mailbox.address, offset);
}

/* A machine without the block may answer with an exception, or with any value. */
static bool mailbox_is_there(void)
{
	uint32_t id = 0;

	return try_load(board_mailbox.address + MAILBOX_ID, &id) && id == MAILBOX_MAGIC;
}

bool machine_ask(struct machine_facts *facts)
{
	if (!mailbox_is_there()) {
		return false;
	}
	facts->harts = mmio_read32(mailbox_word(MAILBOX_HARTS));
	facts->ram_bytes = mmio_read32(mailbox_word(MAILBOX_RAM_BYTES));
	return true;
}

/* A hart leaves reset in the start code, where it sleeps until its slot says that a start is asked for. */
enum hal_status hart_reset(uint32_t hart)
{
	struct hart_slot *slot = &hart_slots[hart];

	mmio_write32(mailbox_word(MAILBOX_RESET), 1u << hart);
	fence_full();
	slot->taken = slot->asked;
	slot->stopped = slot->asked;
	fence_full();
	mmio_write32(mailbox_word(MAILBOX_RESET), 0);
	return HAL_OK;
}

bool doorbell_init(void)
{
	present = mailbox_is_there();
	if (present) {
		doorbell_answer(); /* forget a ring for a host of an earlier run */
		irq_source_enable(IRQ_SOURCE_EXTERNAL);
	}
	return present;
}

bool doorbell_present(void)
{
	return present;
}

void doorbell_answer(void)
{
	mmio_write32(mailbox_word(MAILBOX_TO_CP), 1);
	fence_full();
}

void doorbell_ring_host(void)
{
	if (present) {
		fence_full();
		mmio_write32(mailbox_word(MAILBOX_TO_HOST), 1);
	}
}
