/* SPDX-License-Identifier: Apache-2.0 */
/* Where a CTA lies in its grid, from its launch position.
 * sources: firmware/sm/position.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/sm/position.h"

/* A grid, with the sizes of its levels from the inside out; 1 where there is none. */
struct shape {
	uint32_t cluster[3];
	uint32_t outer[3];
	uint32_t top[3];
	uint32_t grid[3];
	bool cga;
};

static struct gg_tmd tmd;
static struct sm_task task;
static struct sm_raster raster;
static uint32_t primed;

static uint32_t triple(const uint32_t *sizes)
{
	return sizes[0] * sizes[1] * sizes[2] == 1
		       ? 0
		       : gg_put(GG_TMD_OUTER_X, sizes[0]) | gg_put(GG_TMD_OUTER_Y, sizes[1]) |
				 gg_put(GG_TMD_OUTER_Z, sizes[2]);
}

static void set_shape(const struct shape *shape)
{
	memset(&tmd, 0, sizeof(tmd));
	tmd.grid_x = shape->grid[0];
	tmd.grid_yz = gg_put(GG_TMD_GRID_Y, shape->grid[1]) | gg_put(GG_TMD_GRID_Z, shape->grid[2]);
	if (shape->cga) {
		tmd.cluster_xy = gg_put(GG_TMD_CLUSTER_X, shape->cluster[0]) |
				 gg_put(GG_TMD_CLUSTER_Y, shape->cluster[1]);
		tmd.cluster_z = gg_put(GG_TMD_CLUSTER_Z, shape->cluster[2]);
		tmd.outer = triple(shape->outer);
		tmd.top = triple(shape->top);
	}
	primed++;
	task = (struct sm_task){ .tmd = &tmd, .primed = primed };
}

/* Quotient and remainder of the number by each of three sizes. */
static void split(uint64_t *number, const uint32_t *sizes, uint64_t *digits)
{
	for (uint32_t axis = 0; axis < 3; axis++) {
		digits[axis] = *number % sizes[axis];
		*number /= sizes[axis];
	}
}

/* The plain model: CGA by CGA, from the outside in. */
static void expect_at(const struct shape *shape, uint64_t launch)
{
	uint64_t lowest[3], middle[3], highest[3], cga[3], at[3], rest = launch;

	split(&rest, shape->cluster, lowest);
	split(&rest, shape->outer, middle);
	split(&rest, shape->top, highest);
	for (uint32_t axis = 0; axis < 3; axis++) {
		const uint32_t inside =
			shape->cluster[axis] * shape->outer[axis] * shape->top[axis];

		cga[axis] = axis < 2 ? rest % (shape->grid[axis] / inside) : rest;
		rest = axis < 2 ? rest / (shape->grid[axis] / inside) : 0;
		at[axis] = lowest[axis] +
			   shape->cluster[axis] *
				   (middle[axis] +
				    shape->outer[axis] *
					    (highest[axis] + shape->top[axis] * cga[axis]));
		assert_int_equal(raster.position[axis], at[axis]);
		assert_true(raster.position[axis] < shape->grid[axis]);
	}
	assert_int_equal(raster.next, launch);
	assert_true(position_linear(&raster, &task) ==
		    at[0] + shape->grid[0] * (at[1] + shape->grid[1] * at[2]));
}

static uint32_t below(uint32_t end)
{
	return (uint32_t)(((uint64_t)(uint32_t)random() << 1 ^ (uint32_t)random()) % end);
}

static void random_level(uint32_t *sizes, uint32_t most)
{
	for (uint32_t axis = 0; axis < 3; axis++) {
		sizes[axis] = 1 + below(most);
	}
}

static struct shape random_shape(void)
{
	struct shape shape = { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, below(8) != 0 };
	const uint32_t levels = below(3);
	const uint32_t many = below(4);

	if (shape.cga) {
		random_level(shape.cluster, 5);
		if (levels >= 1) {
			random_level(shape.outer, 4);
		}
		if (levels == 2) {
			random_level(shape.top, 3);
		}
	}
	for (uint32_t axis = 0; axis < 3; axis++) {
		const uint32_t inside = shape.cluster[axis] * shape.outer[axis] * shape.top[axis];
		const uint32_t most = axis == 0 ? UINT32_MAX : UINT16_MAX;

		shape.grid[axis] = inside * (1 + below(many == 0 ? most / inside : 1 + 3 * many));
	}
	return shape;
}

/* CTAs of a grid; up to just below 2^64. */
static uint64_t ctas_of(const struct shape *shape)
{
	return (uint64_t)shape->grid[0] * (shape->grid[1] * shape->grid[2]);
}

/* S1-R76, S1-R108, S1-R109, S1-R111, S1-R114, S1-G1, S1-Q16: 30,000 random launch positions in grids with up to
 * three levels, plain ones and such with more than 2^32 CTAs among them: directly, then counted up. */
static void like_the_model(void **state)
{
	(void)state;
	srandom(1);
	for (uint32_t run = 0; run < 3000; run++) {
		const struct shape shape = random_shape();
		const uint64_t ctas = ctas_of(&shape);
		uint64_t launch = (((uint64_t)below(UINT32_MAX) << 32) ^ below(UINT32_MAX)) % ctas;

		set_shape(&shape);
		position_seek(&raster, &task, launch);
		expect_at(&shape, launch);
		for (uint32_t step = 0; step < 9 && launch + 1 < ctas; step++) {
			launch++;
			position_next(&raster);
			expect_at(&shape, launch);
		}
		position_seek(&raster, &task, launch / 2);
		expect_at(&shape, launch / 2);
	}
}

/* S1-R199, S1-R116: a small grid of nested CGAs from its first CTA to its last, by steps and by jumps alike. */
static void all_of_a_grid(void **state)
{
	const struct shape shape = { { 3, 2, 1 }, { 2, 1, 2 }, { 1, 2, 1 }, { 12, 8, 4 }, true };
	static uint8_t seen[12 * 8 * 4];

	(void)state;
	set_shape(&shape);
	memset(seen, 0, sizeof(seen));
	position_seek(&raster, &task, 0);
	for (uint64_t launch = 0; launch < sizeof(seen); launch++) {
		expect_at(&shape, launch);
		seen[position_linear(&raster, &task)]++;
		position_next(&raster);
	}
	for (uint32_t cta = 0; cta < sizeof(seen); cta++) {
		assert_int_equal(seen[cta], 1);
	}
}

/* S1-T8: grid 18 × 12 × 1, position 53 is (17, 2, 0); two CTAs later (1, 3, 0). */
static void example_of_a_raster(void **state)
{
	const struct shape shape = { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 18, 12, 1 }, false };

	(void)state;
	set_shape(&shape);
	position_seek(&raster, &task, 53);
	assert_int_equal(raster.position[0], 17);
	assert_int_equal(raster.position[1], 2);
	assert_int_equal(raster.position[2], 0);
	position_next(&raster);
	position_next(&raster);
	assert_int_equal(raster.position[0], 1);
	assert_int_equal(raster.position[1], 3);
	assert_int_equal(raster.position[2], 0);
}

/* S1-T6, S1-R115: Fig 12a: the CTA of grid position (7, 3, 0), with CGAs of 3 × 2 × 1, is the one of rank 4 in
 * CGA (2, 1, 0). */
static void example_of_a_cga(void **state)
{
	const struct shape shape = { { 3, 2, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 12, 6, 1 }, true };
	const uint64_t launch = 6 * (2 + 4 * 1) + 4;

	(void)state;
	set_shape(&shape);
	position_seek(&raster, &task, launch);
	assert_int_equal(raster.position[0], 7);
	assert_int_equal(raster.position[1], 3);
	assert_int_equal(raster.position[2], 0);
	assert_int_equal(raster.position[0] / position_inner(&tmd, 0), 2);
	assert_int_equal(raster.position[1] / position_inner(&tmd, 1), 1);
	assert_int_equal(position_members(&tmd), 6);
	assert_int_equal(position_levels(&tmd), 1);
}

/* S0-R05: the CTAs of a queue lie along x, more than 2^32 of them; nothing but their number says where. */
static void a_queue_has_no_end(void **state)
{
	const struct shape shape = { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 0, 0, 0 }, false };
	const uint64_t numbers[] = { 0, UINT32_MAX, 1ull << 32, (5ull << 32) + 7 };
	struct sm_cta cta = { .task = &task };

	(void)state;
	set_shape(&shape);
	task.items = 4;
	task.flat = position_is_flat(&task);
	assert_true(task.flat);
	for (uint32_t i = 0; i < 4; i++) {
		position_take(&raster, &cta, numbers[i]);
		assert_int_equal(cta.position[0], gg_low(numbers[i]));
		assert_true(cta.linear == numbers[i] && cta.launch == numbers[i]);
	}
}

/* S1-R108, S1-R111: a grid is flat when it has one CTA along y and z and no CGAs; it leaves the raster of another
 * task as it is. */
static void flat_grids(void **state)
{
	const struct shape line = { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 9, 1, 1 }, false };
	const struct shape wide = { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 9, 2, 1 }, false };
	const struct shape deep = { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 9, 1, 2 }, false };
	const struct shape pairs = { { 2, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 8, 1, 1 }, true };
	struct sm_cta cta = { .task = &task };

	(void)state;
	set_shape(&wide);
	assert_false(position_is_flat(&task));
	position_take(&raster, &cta, 10);
	assert_int_equal(cta.position[0], 1);
	assert_int_equal(cta.position[1], 1);
	assert_int_equal(cta.linear, 10);
	set_shape(&deep);
	assert_false(position_is_flat(&task));
	set_shape(&pairs);
	assert_false(position_is_flat(&task));
	position_take(&raster, &cta, 5);
	assert_int_equal(cta.position[0], 5);
	set_shape(&line);
	task.flat = position_is_flat(&task);
	assert_true(task.flat);
	position_take(&raster, &cta, 8);
	assert_int_equal(cta.position[0], 8);
	assert_int_equal(cta.linear, 8);
	assert_int_equal(raster.of, primed - 1);
	assert_int_equal(raster.next, 6);
}

/* S1-R110, S1-R112: two tasks in turns; each time that it is another one, the raster is made anew. */
static void tasks_in_turns(void **state)
{
	const struct shape one = { { 2, 2, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 6, 4, 1 }, true };
	const struct shape other = { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 5, 5, 1 }, false };
	struct gg_tmd first;
	struct sm_task before;

	(void)state;
	set_shape(&one);
	first = tmd;
	before = task;
	before.tmd = &first;
	position_seek(&raster, &task, 7);
	position_next(&raster);
	set_shape(&other);
	position_seek(&raster, &task, 8);
	expect_at(&other, 8);
	position_seek(&raster, &before, 8);
	task = before;
	expect_at(&one, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(like_the_model),      cmocka_unit_test(all_of_a_grid),
		cmocka_unit_test(example_of_a_raster), cmocka_unit_test(example_of_a_cga),
		cmocka_unit_test(a_queue_has_no_end),  cmocka_unit_test(tasks_in_turns),
		cmocka_unit_test(flat_grids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
