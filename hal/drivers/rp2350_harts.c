/* SPDX-License-Identifier: Apache-2.0 */
/* Core 1 sleeps in the boot ROM until core 0 has sent it these six words and each has come back: it begins at
 * the entry, ours is the start code, where it sleeps again. A word that comes back wrong begins the list anew. */
#include <stddef.h>

#include "hal/drivers/rp2350_sio.h"
#include "hal/hal.h"
#include "hal/hart.h"
#include "hal/mmio.h"

#define STATE_CAME 1u
#define STATE_ROOM 2u
#define WAIT_POLLS 100000u /* of one word: some milliseconds, the boot ROM takes microseconds */
#define TRIES      16u     /* lists that are begun */

static bool wait_for(uint32_t state)
{
	for (uint32_t poll = 0; poll < WAIT_POLLS; poll++) {
		if ((mmio_read32(rp2350_sio(RP2350_FIFO_STATE)) & state) != 0) {
			return true;
		}
	}
	return false;
}

/* What came before is of no use. The queue has four words. */
static void drain(void)
{
	for (uint32_t i = 0;
	     i < 8 && (mmio_read32(rp2350_sio(RP2350_FIFO_STATE)) & STATE_CAME) != 0; i++) {
		(void)mmio_read32(rp2350_sio(RP2350_FIFO_READ));
	}
	rp2350_unblock();
}

bool hart_gather(void)
{
	/* Zeros empty its queue, 1 begins; then mtvec, stack pointer and entry. The start code sets its own mtvec and
	 * uses no stack. */
	const uint32_t start = (uint32_t)hal_board.cp_base;
	const uint32_t words[] = { 0, 0, 1, start, start, start };
	const size_t count = sizeof(words) / sizeof(words[0]);
	size_t at = 0;

	for (uint32_t step = 0; step < TRIES * count; step++) {
		if (words[at] == 0) {
			drain();
		}
		if (!wait_for(STATE_ROOM)) {
			return false;
		}
		mmio_write32(rp2350_sio(RP2350_FIFO_WRITE), words[at]);
		rp2350_unblock();
		if (!wait_for(STATE_CAME)) {
			return false;
		}
		at = mmio_read32(rp2350_sio(RP2350_FIFO_READ)) == words[at] ? at + 1 : 0;
		if (at == count) {
			return true;
		}
	}
	return false;
}
