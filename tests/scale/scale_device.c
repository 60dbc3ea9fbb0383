/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"
#include "tests/scale/scale.h"
#include "tests/unit/fake_device.h"

/* Numbers of TPCs count from 0 in each CPC, those of CPCs in each GPC (S1-R2). */
static void put_gpc(const struct scale *scale, uint32_t gpc, uint32_t first)
{
	for (uint32_t in_gpc = 0; in_gpc < scale->gpc_sms[gpc]; in_gpc++) {
		const uint32_t in_cpc = in_gpc % scale->cpc_sms;

		sm_state_group(first + in_gpc,
			       gg_put(GG_CONFIG_GPC, gpc) |
				       gg_put(GG_CONFIG_CPC, in_gpc / scale->cpc_sms) |
				       gg_put(GG_CONFIG_TPC, in_cpc / scale->tpc_sms));
	}
}

void scale_device(const struct scale *scale)
{
	uint32_t sms = 0;

	for (uint32_t gpc = 0; gpc < scale->gpcs; gpc++) {
		sms += scale->gpc_sms[gpc];
	}
	fake_device_init(sms);
	sms = 0;
	for (uint32_t gpc = 0; gpc < scale->gpcs; gpc++) {
		put_gpc(scale, gpc, sms);
		sms += scale->gpc_sms[gpc];
	}
	sm_tree_build();
	assert_int_equal(sm_tree_count(GG_DOMAIN_GPC), scale->gpcs);
}
