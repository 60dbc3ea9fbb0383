/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/accept/tmd_cga.h"

#include <assert.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/limits.h"

#define AXES 3u /* x, y, z */

/** The levels of CGAs that a task type has; all zero: none. */
struct rule {
	uint8_t least;                 /* levels, at least */
	uint8_t most;                  /* levels, at most */
	bool named;                    /* the TMD names the domains; else `domain` does */
	uint8_t domain[CP_CGA_LEVELS]; /* enum gg_domain, innermost level first */
};

/** What the cluster words say of a level. */
struct level {
	uint32_t size[AXES]; /* CTAs, or CGAs of the level below, along each axis */
	uint32_t domain;     /* enum gg_domain */
};

/* By task type (S1-R37). */
static const struct rule rules[] = {
	[GG_TASK_TYPE_GPC_CGA] = { 1, 1, false, { GG_DOMAIN_GPC } },
	[GG_TASK_TYPE_GPU_CGA] = { 1, 1, false, { GG_DOMAIN_GPU } },
	[GG_TASK_TYPE_GPU_GPC_CGA] = { 2, 2, false, { GG_DOMAIN_GPC, GG_DOMAIN_GPU } },
	[GG_TASK_TYPE_CGA] = { 1, CP_CGA_LEVELS, true, { 0 } },
};

/* By level: the fields that a refusal names. */
static const struct {
	enum gg_field size[AXES];
	enum gg_field domain;
} fields[CP_CGA_LEVELS] = {
	{ { GG_FIELD_TMD_CLUSTER_X, GG_FIELD_TMD_CLUSTER_Y, GG_FIELD_TMD_CLUSTER_Z },
	  GG_FIELD_TMD_CLUSTER_DOMAIN },
	{ { GG_FIELD_TMD_OUTER_X, GG_FIELD_TMD_OUTER_Y, GG_FIELD_TMD_OUTER_Z },
	  GG_FIELD_TMD_OUTER_DOMAIN },
	{ { GG_FIELD_TMD_TOP_X, GG_FIELD_TMD_TOP_Y, GG_FIELD_TMD_TOP_Z }, GG_FIELD_TMD_TOP_DOMAIN },
};

static const enum gg_field grid_fields[AXES] = {
	GG_FIELD_TMD_GRID_X,
	GG_FIELD_TMD_GRID_Y,
	GG_FIELD_TMD_GRID_Z,
};

static bool refuse(struct task *task, enum gg_field field, uint64_t value)
{
	return task_refuse(task, GG_ERR_CLUSTER, field, value);
}

static struct level level_of(uint32_t word)
{
	return (struct level){
		.size = { gg_get(word, GG_TMD_OUTER_X), gg_get(word, GG_TMD_OUTER_Y),
			  gg_get(word, GG_TMD_OUTER_Z) },
		.domain = gg_get(word, GG_TMD_OUTER_DOMAIN),
	};
}

_Static_assert(GG_TMD_OUTER_X == GG_TMD_TOP_X && GG_TMD_OUTER_Y == GG_TMD_TOP_Y &&
		       GG_TMD_OUTER_Z == GG_TMD_TOP_Z && GG_TMD_OUTER_DOMAIN == GG_TMD_TOP_DOMAIN,
	       "both words have the same fields");

static void read_levels(const struct gg_tmd *tmd, struct level levels[CP_CGA_LEVELS])
{
	levels[0] = (struct level){
		.size = { gg_get(tmd->cluster_xy, GG_TMD_CLUSTER_X),
			  gg_get(tmd->cluster_xy, GG_TMD_CLUSTER_Y),
			  gg_get(tmd->cluster_z, GG_TMD_CLUSTER_Z) },
		.domain = gg_get(tmd->cluster_z, GG_TMD_CLUSTER_DOMAIN),
	};
	levels[1] = level_of(tmd->outer);
	levels[2] = level_of(tmd->top);
}

static bool is_absent(const struct level *level)
{
	return (level->size[0] | level->size[1] | level->size[2] | level->domain) == 0;
}

static bool check_absent(struct task *task, const struct level *level, uint32_t number)
{
	for (uint32_t axis = 0; axis < AXES; axis++) {
		if (level->size[axis] != 0) {
			return refuse(task, fields[number].size[axis], level->size[axis]);
		}
	}
	return level->domain == 0 || refuse(task, fields[number].domain, level->domain);
}

/* Each domain must be larger than that of the level inside (S1-R36); larger domains have smaller numbers. */
static bool check_domain(struct task *task, const struct rule *rule, const struct level *level,
			 uint32_t number)
{
	struct cga_shape *shape = &task->rules.shape;

	if (!rule->named) {
		shape->domain[number] = rule->domain[number];
		return level->domain == 0 || refuse(task, fields[number].domain, level->domain);
	}
	shape->domain[number] = (uint8_t)level->domain;
	return number == 0 || level->domain < shape->domain[number - 1] ||
	       refuse(task, fields[number].domain, level->domain);
}

/** What a CGA of the levels so far contains, itself included. */
struct sum {
	uint64_t ctas;
	uint64_t cgas; /* of all levels; each takes a record while it is in flight */
};

/* No product overflows: that of the first level has at most 48 bits, that of another 30, and the sum so far 16. */
static bool add_level(struct task *task, const struct level *level, uint32_t number,
		      struct sum *sum)
{
	uint64_t parts = 1;

	for (uint32_t axis = 0; axis < AXES; axis++) {
		if (level->size[axis] == 0) {
			return refuse(task, fields[number].size[axis], 0);
		}
		parts *= level->size[axis];
	}
	sum->ctas *= parts;
	sum->cgas = number == 0 ? 1 : 1 + parts * sum->cgas;
	if (sum->ctas > CP_CGA_CTAS) {
		return refuse(task, fields[number].size[0], sum->ctas);
	}
	if (sum->cgas > CP_CGAS) {
		return refuse(task, fields[number].size[0], sum->cgas);
	}
	task->rules.shape.parts[number] = (uint16_t)parts;
	return true;
}

/* The grid must be a multiple of the top-level CGA along each axis. */
static bool check_grid(struct task *task, const struct level levels[CP_CGA_LEVELS])
{
	const uint32_t grid[AXES] = {
		task->tmd.grid_x,
		gg_get(task->tmd.grid_yz, GG_TMD_GRID_Y),
		gg_get(task->tmd.grid_yz, GG_TMD_GRID_Z),
	};

	for (uint32_t axis = 0; axis < AXES; axis++) {
		uint32_t size = 1; /* of a top-level CGA: at most CP_CGA_CTAS */

		for (uint32_t number = 0; number < task->rules.shape.levels; number++) {
			size *= levels[number].size[axis];
		}
		assert(size != 0);
		if (grid[axis] % size != 0) {
			return refuse(task, grid_fields[axis], grid[axis]);
		}
	}
	return true;
}

/* Levels that the TMD uses: the last ones do not count when their words are zero. */
static uint32_t count_levels(const struct rule *rule, const struct level levels[CP_CGA_LEVELS])
{
	uint32_t count = rule->most;

	while (count > rule->least && is_absent(&levels[count - 1])) {
		count--;
	}
	return count;
}

static bool check_levels(struct task *task, const struct level levels[CP_CGA_LEVELS])
{
	const struct rule *rule = &rules[task_type(task)];
	const uint32_t count = count_levels(rule, levels);
	struct sum sum = { 1, 1 };

	for (uint32_t number = 0; number < count; number++) {
		if (!add_level(task, &levels[number], number, &sum) ||
		    !check_domain(task, rule, &levels[number], number)) {
			return false;
		}
	}
	for (uint32_t number = count; number < CP_CGA_LEVELS; number++) {
		if (!check_absent(task, &levels[number], number)) {
			return false;
		}
	}
	task->rules.shape.levels = (uint8_t)count;
	return true;
}

/* Clusters are not built in: all cluster words must be zero. */
static bool check_none(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;

	return (tmd->cluster_xy | tmd->cluster_z | tmd->outer | tmd->top) == 0 ||
	       task_refuse(task, GG_ERR_UNSUPPORTED, GG_FIELD_TMD_CLUSTER_X, tmd->cluster_xy);
}

bool tmd_check_cga(struct task *task)
{
	const uint32_t reserved = gg_get(task->tmd.cluster_z, GG_TMD_CLUSTER_RESERVED);
	struct level levels[CP_CGA_LEVELS];

	if (!part_is_here(GG_FEATURE_CLUSTERS)) {
		return check_none(task);
	}
	if (reserved != 0) {
		return task_refuse(task, GG_ERR_TMD_RESERVED, GG_FIELD_TMD_CLUSTER_RESERVED,
				   reserved);
	}
	read_levels(&task->tmd, levels);
	if (!check_levels(task, levels)) {
		return false;
	}
	task->rules.shape.spread =
		task_has_cgas(task) && task->rules.mode == GG_TASK_MODE_MULTI_CAST;
	return !task_has_cgas(task) || check_grid(task, levels);
}
