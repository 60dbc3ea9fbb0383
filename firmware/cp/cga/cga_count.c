/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/cga/cga_count.h"

#include "firmware/cp/cga/lake.h"
#include "firmware/cp/sms/sm_class.h"
#include "firmware/cp/sms/sm_tree.h"

static uint32_t room[CP_SMS]; /* CGAs of the current level that fit, by index of the domain */

static void count_inner(const struct availability *levels, const struct cga_shape *shape)
{
	const enum gg_domain kind = (enum gg_domain)shape->domain[0];
	const struct lake_query sample = { .ctas = shape->parts[0], .spread = shape->spread };

	for (uint32_t index = 0; index < sm_tree_count(kind); index++) {
		room[index] = lake_capacity(levels, sm_tree_domain(kind, index), sample);
	}
}

/* Computes `room` for a level from that of the level below. This can be done in place, because the first domain
 * inside of a domain never has a smaller index than the domain itself. */
static void fold(const struct cga_shape *shape, uint32_t level)
{
	const enum gg_domain kind = (enum gg_domain)shape->domain[level];
	const enum gg_domain inner = (enum gg_domain)shape->domain[level - 1];

	for (uint32_t index = 0; index < sm_tree_count(kind); index++) {
		const struct sm_tree_range inside = sm_tree_inside(kind, index, inner);
		uint32_t parts = 0;

		for (uint32_t part = 0; part < inside.count; part++) {
			parts += room[inside.first + part];
		}
		room[index] = parts / shape->parts[level];
	}
}

uint32_t cga_count(const struct cga_shape *shape, const struct task_needs *needs,
		   const uint32_t *sms, bool idle, uint32_t most)
{
	const enum gg_domain outermost = (enum gg_domain)shape->domain[shape->levels - 1];
	uint32_t sum = 0;

	count_inner(idle ? sm_class_idle(needs, sms) : sm_class_levels(needs, sms), shape);
	for (uint32_t level = 1; level < shape->levels; level++) {
		fold(shape, level);
	}
	for (uint32_t index = 0; index < sm_tree_count(outermost) && sum < most; index++) {
		sum += room[index];
	}
	return sum < most ? sum : most;
}
