/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/memory.h"

#include "hal/drivers/fdt.h"
#include "hal/hal.h"

static struct memory_map found;

/* A 32-bit machine may have more RAM than a pointer can name. The last page of the addresses is
 * left out, so that base + bytes never wraps around to 0. */
static uintptr_t reachable(uint64_t base, uint64_t bytes)
{
	uint64_t most = (UINTPTR_MAX - base) & ~(uint64_t)0xfff;

	return (uintptr_t)(bytes < most ? bytes : most);
}

static bool read_tree(uintptr_t dtb)
{
	struct fdt_summary tree;

	if (dtb == 0 ||
	    !fdt_summarize((const uint8_t *)dtb, FDT_BYTES_MAX, hal_board.cp_base, &tree)) {
		return false;
	}
	found.ram_base = (uintptr_t)tree.ram_base;
	found.ram_bytes = reachable(tree.ram_base, tree.ram_bytes);
	found.harts_found = tree.harts;
	return true;
}

void memory_discover(uintptr_t dtb)
{
	found.ram_base = hal_board.ram_base;
	found.ram_bytes = hal_board.ram_bytes;
	found.harts_found = hal_board.harts;
	found.device_tree = hal_board.device_tree && read_tree(dtb);
	found.harts = found.harts_found;
	if (found.harts > hal_board.harts_max) {
		found.harts = hal_board.harts_max;
	}
}

const struct memory_map *memory_map(void)
{
	return &found;
}
