/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/cga/cga_admit.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/cga/cga_count.h"
#include "firmware/cp/cga/cga_place.h"
#include "firmware/cp/cga/cga_record.h"
#include "firmware/cp/task/cga_shape.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"

uint32_t cga_admit_accepted;

/** CGAs that fit when all SMs are idle: those that were asked for last. */
static struct {
	struct cga_shape shape; /* with 0 levels there are none */
	struct task_needs needs;
	uint32_t version; /* sm_state_version() at that time */
	uint32_t order;   /* `sm_state_order` at that time */
} possible;

void cga_admit_init(void)
{
	cga_admit_accepted = 0;
	possible.shape.levels = 0;
}

void cga_admit_count(const struct task *task, bool accepted)
{
	if (task_has_cgas(task)) {
		cga_admit_accepted += accepted ? 1u : UINT32_MAX;
	}
}

static uint32_t count(const struct task *task, const struct cga_shape *shape, bool idle,
		      uint32_t most)
{
	return cga_count(shape, &task->rules.needs, task->rules.restricted ? task->allowed : NULL,
			 idle, most);
}

static bool fits(const struct task *task, const struct cga_shape *shape)
{
	return count(task, shape, true, 1) != 0;
}

/* Whether the CGAs of a task fit when all SMs are idle. For the same CGAs on the same SMs that need not be computed
 * again. */
static bool is_possible(const struct task *task)
{
	const bool known = possible.shape.levels != 0 && !task->rules.restricted &&
			   possible.version == sm_state_version() &&
			   possible.order == sm_state_order &&
			   cga_shape_is(&possible.shape, &task->rules.shape) &&
			   task_needs_are(&possible.needs, &task->rules.needs);

	if (known) {
		return true;
	}
	if (!fits(task, &task->rules.shape)) {
		return false;
	}
	if (!task->rules.restricted) {
		possible.shape = task->rules.shape;
		possible.needs = task->rules.needs;
		possible.version = sm_state_version();
		possible.order = sm_state_order;
	}
	return true;
}

/* The largest number of parts that fits, fewer than the shape asks for. If some number fits, so does every smaller
 * one, so a binary search finds it. */
static uint32_t fitting_parts(const struct task *task, struct cga_shape shape)
{
	uint16_t *parts = &shape.parts[shape.levels - 1];
	uint32_t good = 0;
	uint32_t bad = *parts;

	while (bad - good > 1) {
		const uint32_t middle = good + (bad - good) / 2;

		*parts = (uint16_t)middle;
		if (fits(task, &shape)) {
			good = middle;
		} else {
			bad = middle;
		}
	}
	return good;
}

/* The refusal names the innermost level that does not fit. */
static bool refuse(struct task *task)
{
	static const enum gg_field fields[CP_CGA_LEVELS] = {
		GG_FIELD_TMD_CLUSTER_X,
		GG_FIELD_TMD_OUTER_X,
		GG_FIELD_TMD_TOP_X,
	};
	struct cga_shape inner = task->rules.shape;
	uint32_t level = 0;

	assert(task->rules.shape.levels <= CP_CGA_LEVELS);
	for (; level + 1 < task->rules.shape.levels; level++) {
		inner.levels = (uint8_t)(level + 1);
		if (!fits(task, &inner)) {
			break;
		}
	}
	inner.levels = (uint8_t)(level + 1);
	return task_refuse(task, GG_ERR_CLUSTER,
			   inner.spread && level == 0 ? GG_FIELD_TMD_MODE : fields[level],
			   fitting_parts(task, inner));
}

static uint32_t innermost_of(const struct cga_shape *shape)
{
	return cga_shape_ctas(shape) / shape->parts[0];
}

/* It is not known in advance where the innermost CGAs are placed, so all of them may need ids of one pool. */
bool cga_admit_check(struct task *task)
{
	const uint32_t ids = cga_id_limit();

	if (!is_possible(task)) {
		return refuse(task);
	}
	return innermost_of(&task->rules.shape) <= ids ||
	       task_refuse(task, GG_ERR_CLUSTER, GG_FIELD_CONFIG_CGA_IDS, ids);
}

static uint32_t ids_of(uint32_t pool, bool idle)
{
	return idle ? cga_id_limit() : cga_id_free(pool);
}

/* There is a pool for each GPC and one for the device (S1-R139). A CGA that lies in one GPC takes all its ids there. */
static uint32_t limit_of_ids(const struct cga_shape *shape, bool idle)
{
	const uint32_t needs = innermost_of(shape);
	const bool in_gpc = shape->domain[shape->levels - 1] != GG_DOMAIN_GPU;
	uint32_t ids = 0;

	if (shape->domain[0] == GG_DOMAIN_GPU) {
		return ids_of(CGA_ID_DEVICE, idle);
	}
	for (uint32_t gpc = 0; gpc < sm_tree_count(GG_DOMAIN_GPC); gpc++) {
		const uint32_t here = ids_of(sm_tree_domain(GG_DOMAIN_GPC, gpc)->number, idle);

		ids += in_gpc ? here / needs : here;
	}
	return in_gpc ? ids : ids / needs;
}

uint32_t cga_admit_fitting(const struct task *task, bool idle)
{
	static const struct cga_shape cta = { .levels = 1,
					      .domain = { GG_DOMAIN_GPU },
					      .parts = { 1 } };

	if (!task_has_cgas(task)) {
		return count(task, &cta, idle, UINT32_MAX);
	}
	const uint32_t ids = limit_of_ids(&task->rules.shape, idle);
	const uint32_t records =
		(idle ? CP_CGAS : cga_record_free()) / cga_record_needs(&task->rules.shape);

	return count(task, &task->rules.shape, idle, ids < records ? ids : records);
}
