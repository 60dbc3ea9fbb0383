/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"
#include "tests/unit/fake_memory.h"

#define GPC_SMS 4u /* SMs of a GPC of a small device */
#define GPCS    8u /* GPCs of a large one */

/* Two CPCs in a GPC; every SM is a TPC (S1-R2). */
static uint32_t group_of(uint32_t sm)
{
	const uint32_t large = (device.sms_count + GPCS - 1) / GPCS;
	const uint32_t gpc_sms = large > GPC_SMS ? large : GPC_SMS;
	const uint32_t cpc_sms = (gpc_sms + 1) / 2;

	return gg_put(GG_CONFIG_GPC, sm / gpc_sms) | gg_put(GG_CONFIG_CPC, sm % gpc_sms / cpc_sms) |
	       gg_put(GG_CONFIG_TPC, sm % gpc_sms % cpc_sms);
}

void fake_sms_init(void)
{
	sm_state_init();
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		sm_state_add(sm);
		device.config->rank[sm] = sm;
		device.config->group[sm] = group_of(sm);
		bits_set(device.config->enabled, sm);
		sm_state_group(sm, device.config->group[sm]);
	}
	sm_tree_build();
}
