/* SPDX-License-Identifier: Apache-2.0 */
/* Hart 1 sleeps in the boot ROM. There its software interrupt makes it read a stack pointer and an entry
 * from its own MTIMECMP, take the interrupt back and go to the entry; ours is the start code, where
 * it sleeps again. A hart that is there already (custom boot address) only takes the interrupt back. */
#include "hal/drivers/neorv32_harts.h"

#include "hal/drivers/clint.h"
#include "hal/fence.h"
#include "hal/hal.h"
#include "hal/hart.h"
#include "hal/mmio.h"

#define SECOND              1u
#define SYSINFO_MISC        4u
#define SYSINFO_HARTS_SHIFT 16
#define SYSINFO_HARTS_MASK  0xfu

uint32_t neorv32_harts_built_in(void)
{
	const uint32_t misc = mmio_read32(mmio_word(board_neorv32_harts.sysinfo, SYSINFO_MISC));

	return misc >> SYSINFO_HARTS_SHIFT & SYSINFO_HARTS_MASK;
}

/* The interrupt of hart_start() must not come before this one was taken: both would be one, and the start would be
 * lost. */
static bool wait_until_taken(const uint32_t *msip)
{
	for (uint32_t poll = 0; poll < board_neorv32_harts.wait_polls; poll++) {
		if ((mmio_read32(msip) & 1) == 0) {
			return true;
		}
	}
	return false;
}

bool hart_gather(void)
{
	uint32_t *mtimecmp = mmio_word(board_clint.mtimecmp, SECOND * 8);
	uint32_t *msip = mmio_word(board_clint.msip, SECOND * 4);

	if (neorv32_harts_built_in() <= SECOND) {
		return false;
	}
	/* The start code uses no stack, so any address will do. */
	mmio_write32(mtimecmp, (uint32_t)hal_board.cp_base);
	mmio_write32(mtimecmp + 1, (uint32_t)hal_board.cp_base);
	fence_full();
	mmio_write32(msip, 1);
	return wait_until_taken(msip);
}
