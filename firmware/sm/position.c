/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/position.h"

#include "firmware/abi/field.h"

#define GRID SM_LEVELS /* the digits of top-level CGAs, or of the CTAs of a plain grid */

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

/* Masks of the fields along each axis. */
static const uint32_t outer_masks[3] = { GG_TMD_OUTER_X, GG_TMD_OUTER_Y, GG_TMD_OUTER_Z };

_Static_assert(GG_TMD_TOP_X == GG_TMD_OUTER_X && GG_TMD_TOP_Y == GG_TMD_OUTER_Y &&
		       GG_TMD_TOP_Z == GG_TMD_OUTER_Z,
	       "`outer` and `top` are laid out alike");

uint32_t position_levels(const struct gg_tmd *tmd)
{
	if (tmd->cluster_xy == 0) {
		return 0;
	}
	return 1u + (tmd->outer != 0 ? 1u : 0u) + (tmd->top != 0 ? 1u : 0u);
}

static uint32_t one_at_least(uint32_t size)
{
	return size == 0 ? 1 : size;
}

uint32_t position_inner(const struct gg_tmd *tmd, uint32_t axis)
{
	if (axis == 2) {
		return one_at_least(gg_get(tmd->cluster_z, GG_TMD_CLUSTER_Z));
	}
	return one_at_least(tmd->cluster_xy >> 16 * axis & GG_TMD_CLUSTER_X);
}

uint32_t position_members(const struct gg_tmd *tmd)
{
	return position_inner(tmd, 0) * position_inner(tmd, 1) * position_inner(tmd, 2);
}

uint32_t position_outer(const struct gg_tmd *tmd, uint32_t axis)
{
	return one_at_least(gg_get(tmd->outer, outer_masks[axis]));
}

/* Sizes and weights of the digits. The grid is a multiple of its CGAs. */
static void position_cga(struct sm_raster *raster, const struct gg_tmd *tmd)
{
	for (uint32_t axis = 0; axis < 3; axis++) {
		uint32_t weight = 1;

		raster->size[0][axis] = position_inner(tmd, axis);
		raster->size[1][axis] = position_outer(tmd, axis);
		raster->size[2][axis] = one_at_least(gg_get(tmd->top, outer_masks[axis]));
		for (uint32_t level = 0; level < GRID; level++) {
			raster->weight[level][axis] = weight;
			weight *= raster->size[level][axis];
		}
		raster->weight[GRID][axis] = weight;
		raster->size[GRID][axis] /= weight;
	}
}

static void position_begin(struct sm_raster *raster, const struct sm_task *task)
{
	const struct gg_tmd *tmd = task->tmd;
	uint32_t *size = raster->size[GRID];

	raster->of = task->primed;
	raster->lowest = GRID;
	size[0] = tmd->grid_x;
	size[1] = gg_get(tmd->grid_yz, GG_TMD_GRID_Y);
	size[2] = gg_get(tmd->grid_yz, GG_TMD_GRID_Z);
	raster->weight[GRID][0] = 1;
	raster->weight[GRID][1] = 1;
	raster->weight[GRID][2] = 1;
	if (tmd->cluster_xy != 0) {
		raster->lowest = 0;
		position_cga(raster, tmd);
	}
}

/* Add up the position from the digits. In a plain grid the position is the digits themselves. */
static void position_sum(struct sm_raster *raster)
{
	const uint32_t *digit = raster->digit[GRID];

	raster->position[0] = digit[0];
	raster->position[1] = digit[1];
	raster->position[2] = digit[2];
	if (raster->lowest != 0) {
		return;
	}
	for (uint32_t axis = 0; axis < 3; axis++) {
		uint32_t sum = 0;

		for (uint32_t level = 0; level <= GRID; level++) {
			sum += raster->digit[level][axis] * raster->weight[level][axis];
		}
		raster->position[axis] = sum;
	}
}

/* Split the place inside a top-level CGA into the digits below the grid's. */
static void position_split(struct sm_raster *raster, uint32_t inside)
{
	for (uint32_t level = 0; level < GRID; level++) {
		for (uint32_t axis = 0; axis < 3; axis++) {
			raster->digit[level][axis] = inside % raster->size[level][axis];
			inside /= raster->size[level][axis];
		}
	}
}

/* Number of CTAs of a top-level CGA. */
static uint32_t position_inside(const struct sm_raster *raster)
{
	return raster->weight[GRID][0] * raster->weight[GRID][1] * raster->weight[GRID][2];
}

/* In a queue and in an N-D range the grid words of the TMD have no meaning. */
bool position_is_flat(const struct sm_task *task)
{
	const struct gg_tmd *tmd = task->tmd;

	return task->items != 0 || task->ranged ||
	       (tmd->cluster_xy == 0 &&
		tmd->grid_yz == (gg_put(GG_TMD_GRID_Y, 1) | gg_put(GG_TMD_GRID_Z, 1)));
}

void position_seek(struct sm_raster *raster, const struct sm_task *task, uint64_t launch)
{
	uint32_t *digit = raster->digit[GRID];
	uint32_t high = gg_high(launch);
	uint32_t low = gg_low(launch);
	struct division row;

	if (raster->of != task->primed) {
		position_begin(raster, task);
	} else if (raster->next == launch) {
		return;
	}
	raster->next = launch;
	if (raster->lowest == 0) {
		const uint32_t inside = position_inside(raster);
		const struct division cga = divide(high % inside, low, inside);

		position_split(raster, cga.remainder);
		high /= inside;
		low = cga.quotient;
	}
	row = divide(high, low, raster->size[GRID][0]);
	digit[0] = row.remainder;
	digit[1] = row.quotient % raster->size[GRID][1];
	digit[2] = row.quotient / raster->size[GRID][1];
	position_sum(raster);
}

/* The lowest digit has reached its size, so carry. Each digit that goes back to 0 takes its size times its weight
 * off the position, and the next one adds its own weight. */
static void position_carry(struct sm_raster *raster)
{
	bool first = true;

	for (uint32_t level = raster->lowest; level <= GRID; level++) {
		for (uint32_t axis = 0; axis < 3; axis++) {
			const uint32_t weight = raster->weight[level][axis];
			const uint32_t size = raster->size[level][axis];

			if (!first) {
				raster->position[axis] += weight;
				raster->digit[level][axis]++;
			}
			if (raster->digit[level][axis] != size) {
				return;
			}
			raster->digit[level][axis] = 0;
			raster->position[axis] -= weight * size;
			first = false;
		}
	}
}

/* Nearly always there is nothing to carry. */
void position_next(struct sm_raster *raster)
{
	const uint32_t lowest = raster->lowest;

	raster->next++;
	raster->position[0]++;
	raster->digit[lowest][0]++;
	if (raster->digit[lowest][0] == raster->size[lowest][0]) {
		position_carry(raster);
	}
}

uint64_t position_linear(const struct sm_raster *raster, const struct sm_task *task)
{
	const struct gg_tmd *tmd = task->tmd;
	uint32_t row;

	if (raster->lowest != 0) {
		return raster->next;
	}
	row = raster->position[1] + gg_get(tmd->grid_yz, GG_TMD_GRID_Y) * raster->position[2];
	return raster->position[0] + (uint64_t)tmd->grid_x * row;
}

/* Nearly always the raster is there already. */
static SM_APART void position_place(struct sm_raster *raster, struct sm_cta *cta)
{
	position_seek(raster, cta->task, cta->launch);
	cta->position[0] = raster->position[0];
	cta->position[1] = raster->position[1];
	cta->position[2] = raster->position[2];
	cta->linear = position_linear(raster, cta->task);
	position_next(raster);
}

void position_take(struct sm_raster *raster, struct sm_cta *cta, uint64_t launch)
{
	cta->launch = launch;
	if (cta->task->flat) {
		cta->position[0] = gg_low(launch);
		cta->linear = launch;
	} else {
		position_place(raster, cta);
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
