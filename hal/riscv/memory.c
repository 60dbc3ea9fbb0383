/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/memory.h"

#include "hal/drivers/fdt.h"
#include "hal/hal.h"
#include "hal/kept.h"
#include "hal/machine.h"
#include "hal/riscv/try.h"

static HAL_KEPT struct memory_map found;

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

/* Take the board's numbers, except where the machine knows better. A machine with less RAM than the board has is
 * refused: the map of the board would not fit. */
static void ask_machine(void)
{
	struct machine_facts facts;

	found.ram_base = hal_board.ram_base;
	found.ram_bytes = hal_board.ram_bytes;
	found.harts_found = hal_board.harts;
	if (!machine_ask(&facts)) {
		return;
	}
	if (facts.harts != 0) {
		found.harts_found = facts.harts;
	}
	if (facts.ram_bytes > found.ram_bytes) {
		found.ram_bytes = facts.ram_bytes;
	}
}

void memory_discover(uintptr_t dtb)
{
	found.device_tree = hal_board.device_tree && read_tree(dtb);
	if (!found.device_tree) {
		ask_machine();
	}
	found.harts = found.harts_found;
	if (found.harts > hal_board.harts_max) {
		found.harts = hal_board.harts_max;
	}
}

/* Whether a word of RAM keeps what is written to it. It has its old value afterwards. */
static bool keeps(uintptr_t address)
{
	uint32_t before, after;

	if (!try_load(address, &before) || !try_store(address, ~before) ||
	    !try_load(address, &after) || after != ~before) {
		return false;
	}
	return try_store(address, before);
}

/* Whether two words of RAM are the same one: where there is too little RAM it may appear again behind its end. */
static bool is_same(uintptr_t address, uintptr_t other)
{
	uint32_t before, changed;
	const bool loaded = try_load(address, &before) && try_load(other, &changed);

	if (!loaded || changed != before || !try_store(address, ~before)) {
		return false;
	}
	const bool same = try_load(other, &changed) && changed != before;

	return try_store(address, before) && same;
}

uintptr_t memory_ends_at(uintptr_t bytes)
{
	const uintptr_t end = found.ram_base + bytes;
	const uintptr_t own = hal_board.cp_base + hal_board.cp_bytes - found.ram_base;

	if (found.device_tree) {
		return bytes;
	}
	/* the memory that this hart works with is not tried */
	for (uintptr_t half = bytes / 2; half > own; half /= 2) {
		if (!keeps(end - 4) || is_same(end - 4, found.ram_base + half - 4)) {
			return half;
		}
	}
	return bytes;
}

const struct memory_map *memory_map(void)
{
	return &found;
}
