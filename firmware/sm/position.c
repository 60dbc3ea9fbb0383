/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/position.h"

#include "firmware/abi/field.h"

/* Quotient and remainder in 32 bits; a 64-bit division would be a library call on rv32. */
struct division {
	uint32_t quotient;
	uint32_t remainder;
};

/* high < divisor, so the quotient fits. */
static struct division divide(uint32_t high, uint32_t low, uint32_t divisor)
{
	struct division result = { low / divisor, low % divisor };

	if (high == 0) {
		return result;
	}
	result = (struct division){ 0, high };
	for (uint32_t bit = 1u << 31; bit != 0; bit >>= 1) {
		const bool carry = result.remainder >> 31 != 0;

		result.remainder = result.remainder << 1 | ((low & bit) != 0 ? 1u : 0u);
		if (carry || result.remainder >= divisor) {
			result.remainder -= divisor;
			result.quotient |= bit;
		}
	}
	return result;
}

void position_of(const struct sm_task *task, uint64_t linear, struct sm_position *position)
{
	const struct gg_tmd *grid = task->tmd;
	const uint32_t grid_y = gg_get(grid->grid_yz, GG_TMD_GRID_Y);
	struct division row;

	position->x = gg_low(linear);
	position->y = 0;
	position->z = 0;
	if (task->items != 0) { /* the words of the grid say nothing */
		return;
	}
	row = divide(gg_high(linear), gg_low(linear), grid->grid_x);
	position->x = row.remainder;
	position->y = row.quotient % grid_y;
	position->z = row.quotient / grid_y;
}

void position_next(const struct sm_task *task, struct sm_position *position)
{
	const struct gg_tmd *grid = task->tmd;

	position->x++;
	if (task->items != 0 || position->x != grid->grid_x) {
		return;
	}
	position->x = 0;
	position->y++;
	if (position->y == gg_get(grid->grid_yz, GG_TMD_GRID_Y)) {
		position->y = 0;
		position->z++;
	}
}

void position_items(const struct sm_task *task, uint32_t first, struct sm_items *items)
{
	items->position = first;
	items->place = task->items != 0 ? first % task->tmd->queue_capacity : 0;
	items->count = task->items;
}

/* All items of a packet are in the queue, so a step is shorter than the queue. */
void position_items_next(const struct sm_task *task, struct sm_items *items)
{
	items->position += items->count;
	items->place += items->count;
	if (items->place >= task->tmd->queue_capacity) {
		items->place -= task->tmd->queue_capacity;
	}
}
