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

struct sm_position position_of(const struct gg_tmd *grid, uint64_t linear)
{
	const uint32_t grid_y = gg_get(grid->grid_yz, GG_TMD_GRID_Y);
	const struct division row = divide(gg_high(linear), gg_low(linear), grid->grid_x);

	return (struct sm_position){
		.x = row.remainder,
		.y = row.quotient % grid_y,
		.z = row.quotient / grid_y,
	};
}

void position_next(const struct gg_tmd *grid, struct sm_position *position)
{
	position->x++;
	if (position->x != grid->grid_x) {
		return;
	}
	position->x = 0;
	position->y++;
	if (position->y == gg_get(grid->grid_yz, GG_TMD_GRID_Y)) {
		position->y = 0;
		position->z++;
	}
}
