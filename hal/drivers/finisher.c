/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/finisher.h"

#include "hal/finisher.h"
#include "hal/irq.h"
#include "hal/mmio.h"

#define FINISH_PASS 0x5555u
#define FINISH_FAIL 0x3333u /**< The code is in the upper half. */

_Noreturn void finish(uint32_t code)
{
	uint32_t *word = mmio_word(board_finisher.address, 0);

	irq_disable();
	mmio_write32(word, code == 0 ? FINISH_PASS : FINISH_FAIL | code << 16);
	for (;;) {
		wait_for_interrupt();
	}
}
