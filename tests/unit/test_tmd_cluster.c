/* SPDX-License-Identifier: Apache-2.0 */
/* The cluster words of TMDs: the shapes that they give, and the field and value of each refusal.
 * sources: room:accept device tests/unit/fake_nest.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "tests/unit/fake_nest.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define WORD(name) (offsetof(struct gg_tmd, name) / 4)

#define GPC  GG_TASK_TYPE_GPC_CGA
#define GPU  GG_TASK_TYPE_GPU_CGA
#define TWO  GG_TASK_TYPE_GPU_GPC_CGA
#define FREE GG_TASK_TYPE_CGA
#define BAD  GG_ERR_CLUSTER

/* A word of 10, 10 and 10 bits, and a domain. */
#define LEVEL(x, y, z, domain) ((x) | (y) << 10 | (z) << 20 | (uint32_t)(domain) << 30)

/* A word of a good TMD is replaced; the refusal is this. */
static const struct {
	enum gg_task_type type;
	uint32_t word;
	uint32_t value;
	enum gg_status status;
	uint32_t field;
	uint64_t shown;
} damages[] = {
	/* a size of 0 */
	{ GPC, WORD(cluster_xy), 2u << 16, BAD, GG_FIELD_TMD_CLUSTER_X, 0 },
	{ GPU, WORD(cluster_xy), 3, BAD, GG_FIELD_TMD_CLUSTER_Y, 0 },
	{ TWO, WORD(cluster_z), 0, BAD, GG_FIELD_TMD_CLUSTER_Z, 0 },
	{ TWO, WORD(outer), 0, BAD, GG_FIELD_TMD_OUTER_X, 0 },
	{ TWO, WORD(outer), LEVEL(2u, 0u, 1u, 0), BAD, GG_FIELD_TMD_OUTER_Y, 0 },
	{ FREE, WORD(outer), 0, BAD, GG_FIELD_TMD_OUTER_X, 0 },
	{ FREE, WORD(top), LEVEL(1u, 1u, 0u, 0), BAD, GG_FIELD_TMD_TOP_Z, 0 },
	{ FREE, WORD(top), LEVEL(0u, 1u, 1u, 0), BAD, GG_FIELD_TMD_TOP_X, 0 },
	/* levels that the type has not */
	{ GPC, WORD(outer), LEVEL(2u, 1u, 1u, 0), BAD, GG_FIELD_TMD_OUTER_X, 2 },
	{ GPC, WORD(outer), LEVEL(0u, 0u, 3u, 0), BAD, GG_FIELD_TMD_OUTER_Z, 3 },
	{ GPU, WORD(top), LEVEL(0u, 4u, 0u, 0), BAD, GG_FIELD_TMD_TOP_Y, 4 },
	{ TWO, WORD(top), LEVEL(1u, 1u, 1u, 0), BAD, GG_FIELD_TMD_TOP_X, 1 },
	/* domains that the type gives, or that do not grow */
	{ GPC, WORD(cluster_z), 1 | 1u << 16, BAD, GG_FIELD_TMD_CLUSTER_DOMAIN, 1 },
	{ GPU, WORD(outer), 2u << 30, BAD, GG_FIELD_TMD_OUTER_DOMAIN, 2 },
	{ TWO, WORD(outer), LEVEL(2u, 2u, 1u, 1), BAD, GG_FIELD_TMD_OUTER_DOMAIN, 1 },
	{ TWO, WORD(top), 3u << 30, BAD, GG_FIELD_TMD_TOP_DOMAIN, 3 },
	{ FREE, WORD(cluster_z), 1 | GG_DOMAIN_GPC << 16, BAD, GG_FIELD_TMD_OUTER_DOMAIN, 1 },
	{ FREE, WORD(cluster_z), 1, BAD, GG_FIELD_TMD_OUTER_DOMAIN, 1 },
	{ FREE, WORD(outer), LEVEL(2u, 2u, 1u, 3), BAD, GG_FIELD_TMD_OUTER_DOMAIN, 3 },
	{ FREE, WORD(top), LEVEL(2u, 1u, 1u, 1), BAD, GG_FIELD_TMD_TOP_DOMAIN, 1 },
	{ FREE, WORD(cluster_z), 1 | 4u << 16, GG_ERR_TMD_RESERVED, GG_FIELD_TMD_CLUSTER_RESERVED,
	  1 },
	/* too many CTAs in a CGA, or CGAs in a CGA */
	{ GPU, WORD(cluster_xy), 4097 | 1u << 16, BAD, GG_FIELD_TMD_CLUSTER_X, 4097 },
	{ GPU, WORD(cluster_xy), 0xffffffff, BAD, GG_FIELD_TMD_CLUSTER_X, 0xfffe0001 },
	{ TWO, WORD(outer), LEVEL(683u, 1u, 1u, 0), BAD, GG_FIELD_TMD_OUTER_X, 4098 },
	{ FREE, WORD(top), LEVEL(1023u, 1023u, 1023u, 0), BAD, GG_FIELD_TMD_TOP_X,
	  24ull * 1023 * 1023 * 1023 },
	/* a grid that is not of whole CGAs */
	{ GPC, WORD(grid_x), 13, BAD, GG_FIELD_TMD_GRID_X, 13 },
	{ GPC, WORD(grid_x), 2, BAD, GG_FIELD_TMD_GRID_X, 2 },
	{ GPU, WORD(grid_yz), 7 | 2u << 16, BAD, GG_FIELD_TMD_GRID_Y, 7 },
	{ GPU, WORD(cluster_z), 3, BAD, GG_FIELD_TMD_GRID_Z, 2 },
	{ TWO, WORD(grid_x), 27, BAD, GG_FIELD_TMD_GRID_X, 27 },
	{ TWO, WORD(grid_yz), 6 | 2u << 16, BAD, GG_FIELD_TMD_GRID_Y, 6 },
	{ FREE, WORD(grid_x), 30, BAD, GG_FIELD_TMD_GRID_X, 30 },
	{ GPC, WORD(grid_x), 0, GG_ERR_GRID_ZERO, GG_FIELD_TMD_GRID_X, 0 },
	/* positions inside a CGA */
	{ GPC, WORD(resume_lo), 5, GG_ERR_RESUME, GG_FIELD_TMD_RESUME, 5 },
	{ TWO, WORD(resume_lo), 6, GG_ERR_RESUME, GG_FIELD_TMD_RESUME, 6 },
	{ GPC, WORD(queue_items), 5, GG_ERR_RESUME, GG_FIELD_TMD_QUEUE_ITEMS, 5 },
	{ FREE, WORD(resume_lo), 24, GG_ERR_RESUME, GG_FIELD_TMD_RESUME, 24 },
	{ FREE, WORD(resume_lo), 384, GG_ERR_RESUME, GG_FIELD_TMD_RESUME, 384 },
	{ GPC, WORD(resume_hi), 0x80000000, GG_ERR_RESUME, GG_FIELD_TMD_RESUME, 1ull << 63 },
	/* what does not go with CGAs */
	{ GPC, WORD(header), 1u | 3u << 8 | 1u << 12 | 5u << 16, GG_ERR_MODE, GG_FIELD_TMD_MODE,
	  1 },
	{ FREE, WORD(header), 1u | 7u << 8 | 3u << 12 | 5u << 16, GG_ERR_MODE, GG_FIELD_TMD_MODE,
	  3 },
	{ GPU, WORD(header), 1u | 4u << 8 | 4u << 12 | 5u << 16, GG_ERR_MODE, GG_FIELD_TMD_MODE,
	  4 },
	{ TWO, WORD(header), 1u | 5u << 8 | 5u << 16 | GG_TMD_THROTTLE, GG_ERR_UNSUPPORTED,
	  GG_FIELD_TMD_THROTTLE, 1 },
	{ FREE, WORD(window_count), 4, GG_ERR_WINDOW_RANGE, GG_FIELD_TMD_WINDOW_COUNT, 4 },
	{ GPC, WORD(queue_lo), 4, GG_ERR_QUEUE, GG_FIELD_TMD_QUEUE, 4 },
};

/* 24 × 8 × 2 CTAs, in CGAs of 3 × 2; 2 × 2 of those in one of the second level, 2 of those on top. */
static struct gg_tmd cga(enum gg_task_type type)
{
	struct gg_tmd tmd = fake_with_type(fake_tmd(24), type);

	tmd.grid_yz = 8 | 2u << 16;
	tmd.cluster_xy = 3 | 2u << 16;
	tmd.cluster_z = 1;
	if (type == TWO) {
		tmd.outer = LEVEL(2u, 2u, 1u, 0);
	} else if (type == FREE) {
		tmd.cluster_z |= GG_DOMAIN_CPC << 16;
		tmd.outer = LEVEL(2u, 2u, 1u, GG_DOMAIN_GPC);
		tmd.top = LEVEL(2u, 1u, 1u, GG_DOMAIN_GPU);
	}
	return tmd;
}

/* S1-R36, S1-R37, S1-R43, S1-Q10: every bad field is refused with its status, its name and its value; a grid
 * that is no multiple of its CGA is never made one. */
static void every_bad_field_is_refused(void **state)
{
	(void)state;
	fake_device_init(8);
	for (size_t index = 0; index < sizeof(damages) / sizeof(damages[0]); index++) {
		struct gg_tmd tmd = cga(damages[index].type);

		((uint32_t *)&tmd)[damages[index].word] = damages[index].value;

		struct task *task = fake_take(&tmd);

		assert_int_equal(task->failure.status, damages[index].status);
		assert_int_equal(task->failure.field, damages[index].field);
		assert_int_equal(task->failure.value, damages[index].shown);
		task_give(task);
	}
}

static void expect_shape(const struct gg_tmd *tmd, const struct cga_shape *shape)
{
	struct task *task = fake_take(tmd);

	assert_int_equal(task->failure.status, GG_OK);
	assert_int_equal(task->work.left, 24 * 8 * 2);
	assert_int_equal(task->rules.shape.levels, shape->levels);
	assert_int_equal(task->rules.shape.spread, shape->spread);
	for (uint32_t level = 0; level < CP_CGA_LEVELS; level++) {
		assert_int_equal(task->rules.shape.domain[level], shape->domain[level]);
		assert_int_equal(task->rules.shape.parts[level], shape->parts[level]);
	}
	task_give(task);
}

/* S1-R191, S1-R35, S1-R36, S1-R37: each type of task gives its shape; a plain grid gives none. */
static void types_give_shapes(void **state)
{
	static const struct {
		enum gg_task_type type;
		struct cga_shape shape;
	} cases[] = {
		{ GPC, { .levels = 1, .domain = { GG_DOMAIN_GPC }, .parts = { 6 } } },
		{ GPU, { .levels = 1, .domain = { GG_DOMAIN_GPU }, .parts = { 6 } } },
		{ TWO,
		  { .levels = 2, .domain = { GG_DOMAIN_GPC, GG_DOMAIN_GPU }, .parts = { 6, 4 } } },
		{ FREE,
		  { .levels = 3,
		    .domain = { GG_DOMAIN_CPC, GG_DOMAIN_GPC, GG_DOMAIN_GPU },
		    .parts = { 6, 4, 2 } } },
	};
	struct gg_tmd tmd = fake_tmd(384);

	(void)state;
	fake_device_init(8);
	for (size_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		tmd = cga(cases[index].type);
		expect_shape(&tmd, &cases[index].shape);
		tmd = fake_with_mode(tmd, GG_TASK_MODE_DEVICE);
		expect_shape(&tmd, &cases[index].shape);
	}
	tmd = fake_tmd(384);
	expect_shape(&tmd, &(struct cga_shape){ .levels = 0 });
	tmd = cga(FREE); /* one level, of any domain */
	tmd.outer = 0;
	tmd.top = 0;
	tmd.cluster_z = 1 | GG_DOMAIN_TPC << 16;
	expect_shape(&tmd, &(struct cga_shape){
				   .levels = 1, .domain = { GG_DOMAIN_TPC }, .parts = { 6 } });
	tmd = fake_with_mode(cga(GPC), GG_TASK_MODE_MULTI_CAST);
	tmd.cluster_xy = 2 | 2u << 16; /* as many CTAs as a GPC has SMs */
	expect_shape(&tmd, &(struct cga_shape){ .levels = 1,
						.domain = { GG_DOMAIN_GPC },
						.spread = true,
						.parts = { 4 } });
}

/* Each CGA of each level needs a record while it is in flight: so many there never are. */
static void too_many_cgas(void **state)
{
	const struct fake_nest nest = { { 1, 1, 512 },
					{ GG_DOMAIN_CPC, GG_DOMAIN_GPC, GG_DOMAIN_GPU } };
	struct gg_tmd tmd = fake_nested(nest);
	struct task *task;

	(void)state;
	fake_device_init(8);
	task = fake_take(&tmd);
	assert_int_equal(task->failure.status, GG_ERR_CLUSTER);
	assert_int_equal(task->failure.field, GG_FIELD_TMD_TOP_X);
	assert_int_equal(task->failure.value, 1 + 512 * 2);
	task_give(task);
}

/* S0-R13, S1-R39: a grid of CGAs starts at a whole CGA. */
static void resume_at_a_whole_cga(void **state)
{
	struct gg_tmd tmd = cga(TWO);
	struct task *task;

	(void)state;
	fake_device_init(8);
	tmd.resume_lo = 360;
	task = fake_take(&tmd);
	assert_int_equal(task->failure.status, GG_OK);
	assert_int_equal(task->work.position, 360);
	assert_int_equal(task->work.left, 24);
	task_give(task);
}

/* S1-R75: a grid as large as its words can say, in CGAs of 3 × 5 × 2 CTAs. */
static void large_grids(void **state)
{
	struct gg_tmd tmd = cga(GPU);
	struct task *task;

	(void)state;
	fake_device_init(8);
	tmd.grid_x = 0xffffffff; /* 3 · 5 · … */
	tmd.grid_yz = 0x7ffeffff;
	tmd.cluster_xy = 3 | 5u << 16;
	tmd.cluster_z = 2;
	task = fake_take(&tmd);
	assert_int_equal(task->failure.status, GG_OK);
	assert_int_equal(task->work.left, 0xffffffffull * 0xffff * 0x7ffe);
	task_give(task);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_bad_field_is_refused),
		cmocka_unit_test(types_give_shapes),
		cmocka_unit_test(too_many_cgas),
		cmocka_unit_test(resume_at_a_whole_cga),
		cmocka_unit_test(large_grids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
