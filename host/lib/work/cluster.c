/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/cluster.h"

#include <stdbool.h>

#include "firmware/abi/field.h"
#include "host/lib/core/failure.h"

#define CTAS_MAX   UINT16_MAX /* along an axis of the innermost level: 16 bits */
#define PARTS_MAX  1023u      /* along an axis of the levels above: 10 bits */
#define DOMAIN_MAX GG_DOMAIN_TPC

_Static_assert(GG_TMD_CLUSTER_X == CTAS_MAX && GG_TMD_OUTER_X == PARTS_MAX, "what the bits hold");
_Static_assert(GG_TMD_TOP_X == PARTS_MAX, "what the bits hold");

/** A number of the caller's and the largest that fits its bits. */
struct bound {
	uint32_t value;
	uint32_t most;
	enum gg_field field;
};

static bool is_named(const uint32_t level[3])
{
	return (level[0] | level[1] | level[2]) != 0;
}

uint32_t cluster_type(const struct gg_work *work)
{
	if (work->type != GG_TASK_TYPE_GRID || !is_named(work->cluster))
		return work->type;
	return is_named(work->outer) ? GG_TASK_TYPE_GPU_GPC_CGA : GG_TASK_TYPE_GPC_CGA;
}

enum gg_status cluster_check(const struct gg_work *work)
{
	bool grid = work->type != GG_TASK_TYPE_QUEUE && work->type != GG_TASK_TYPE_GRID_NULL;
	const struct bound bounds[] = {
		{ work->cluster[0], CTAS_MAX, GG_FIELD_TMD_CLUSTER_X },
		{ work->cluster[1], CTAS_MAX, GG_FIELD_TMD_CLUSTER_Y },
		{ work->cluster[2], CTAS_MAX, GG_FIELD_TMD_CLUSTER_Z },
		{ work->cluster_domain, DOMAIN_MAX, GG_FIELD_TMD_CLUSTER_DOMAIN },
		{ work->outer[0], PARTS_MAX, GG_FIELD_TMD_OUTER_X },
		{ work->outer[1], PARTS_MAX, GG_FIELD_TMD_OUTER_Y },
		{ work->outer[2], PARTS_MAX, GG_FIELD_TMD_OUTER_Z },
		{ work->outer_domain, DOMAIN_MAX, GG_FIELD_TMD_OUTER_DOMAIN },
		{ work->top[0], PARTS_MAX, GG_FIELD_TMD_TOP_X },
		{ work->top[1], PARTS_MAX, GG_FIELD_TMD_TOP_Y },
		{ work->top[2], PARTS_MAX, GG_FIELD_TMD_TOP_Z },
		{ work->top_domain, DOMAIN_MAX, GG_FIELD_TMD_TOP_DOMAIN },
	};

	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		if (bounds[i].value > (grid ? bounds[i].most : 0))
			return failure_done(GG_ERR_CLUSTER, bounds[i].field, bounds[i].value, 0, 0);
	}
	return GG_OK;
}

void cluster_fill(struct gg_tmd *tmd, const struct gg_work *work)
{
	tmd->cluster_xy = gg_put(GG_TMD_CLUSTER_X, work->cluster[0]) |
			  gg_put(GG_TMD_CLUSTER_Y, work->cluster[1]);
	tmd->cluster_z = gg_put(GG_TMD_CLUSTER_Z, work->cluster[2]) |
			 gg_put(GG_TMD_CLUSTER_DOMAIN, work->cluster_domain);
	tmd->outer = gg_put(GG_TMD_OUTER_X, work->outer[0]) |
		     gg_put(GG_TMD_OUTER_Y, work->outer[1]) |
		     gg_put(GG_TMD_OUTER_Z, work->outer[2]) |
		     gg_put(GG_TMD_OUTER_DOMAIN, work->outer_domain);
	tmd->top = gg_put(GG_TMD_TOP_X, work->top[0]) | gg_put(GG_TMD_TOP_Y, work->top[1]) |
		   gg_put(GG_TMD_TOP_Z, work->top[2]) | gg_put(GG_TMD_TOP_DOMAIN, work->top_domain);
}
