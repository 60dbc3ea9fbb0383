/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for firmware/cp/host/config.c where the SMs are grouped without the CONFIG block, which has entries for 512:
 * the host can choose nothing. */
#include "firmware/cp/host/config.h"

#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"

void config_init(void)
{
	sm_tree_build();
}

struct refusal config_apply(uint32_t parts)
{
	return refusal_of(GG_ERR_UNSUPPORTED, GG_FIELD_COMMAND_ARGUMENT0, parts);
}
