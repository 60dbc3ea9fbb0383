/* SPDX-License-Identifier: Apache-2.0 */
/* timer_now() from the CLINT's mtime, for cores without a time CSR. */
#include "hal/drivers/clint.h"
#include "hal/mmio.h"
#include "hal/timer.h"

uint64_t timer_now(void)
{
	const uint32_t *low_word = mmio_word(board_clint.mtime, 0);
	const uint32_t *high_word = mmio_word(board_clint.mtime, 4);
	uint32_t before = mmio_read32(high_word);
	uint32_t low = mmio_read32(low_word);
	uint32_t high = mmio_read32(high_word);

	/* A carry came between the two reads. The next one is 2^32 ticks away, so one more attempt is enough. */
	if (high != before) {
		low = mmio_read32(low_word);
	}
	return (uint64_t)high << 32 | low;
}
