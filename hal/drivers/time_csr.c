/* SPDX-License-Identifier: Apache-2.0 */
/* timer_now() from the time CSR: no bus access, and so no lock between harts in an emulator. */
#include "hal/riscv/csr.h"
#include "hal/timer.h"

uint64_t timer_now(void)
{
#if __riscv_xlen == 64
	return csr_read(time);
#else
	uint32_t before = csr_read(timeh);
	uint32_t low = csr_read(time);
	uint32_t high = csr_read(timeh);

	/* A carry came between the two reads. The next one is 2^32 ticks away, so one more attempt is enough. */
	if (high != before) {
		low = csr_read(time);
	}
	return (uint64_t)high << 32 | low;
#endif
}
