/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/units.h"

#include <assert.h>

#include "firmware/abi/field.h"
#include "firmware/kernel/gg_cta.h"
#include "hal/fence.h"
#include "hal/mmio.h"

static_assert(GG_CTA_BYTES == SM_BLOCK_BYTES, "room below the shared memory");

void units_take_share(struct sm *sm)
{
	const struct gg_sm_state *state = sm->state;

	sm->share_sequence = mmio_read32(&state->share_sequence);
	fence_acquire(); /* read the count before the share that it speaks of */
	sm->units = (uintptr_t)gg_join(state->share_lo, state->share_hi);
	sm->unit_bytes = sm_area_unit_bytes(sm->cap) * state->share_sms;
	sm->private_share = sm_area_private_share(sm->cap) * state->share_sms;
	sm->units_known = 0;
	for (uint32_t unit = 0; unit < SM_UNITS_MAX; unit++) {
		sm->ctas[unit].block_of = 0;
		sm->ctas[unit].base = sm->units + (uintptr_t)unit * sm->unit_bytes;
	}
}

uintptr_t units_shared(const struct sm *sm, const struct sm_cta *cta)
{
	return cta->base + (uintptr_t)cta->units * sm->private_share + GG_CTA_BYTES;
}

void units_take(struct sm *sm, const struct sm_cta *cta)
{
	const uint32_t context = cta->task->tmd->context;

	for (uint32_t unit = cta->unit; unit < cta->unit + cta->units; unit++) {
		sm->ctas[sm->unit_last[unit]].block_of = 0;
		sm->unit_last[unit] = cta->unit;
		if ((sm->units_known >> unit & 1u) == 0 || sm->unit_context[unit] != context) {
			sm_clear(sm->units + (uintptr_t)unit * sm->unit_bytes, sm->unit_bytes);
		}
		sm->units_known |= 1u << unit;
		sm->unit_context[unit] = context;
	}
}
