/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/mailbox.h"

#include "hal/doorbell.h"
#include "hal/fence.h"
#include "hal/irq.h"
#include "hal/machine.h"
#include "hal/mmio.h"
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
