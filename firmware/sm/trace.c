/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/trace.h"

#include "firmware/abi/field.h"
#include "hal/fence.h"
#include "hal/mmio.h"

SM_COLD void trace_cta(struct sm *sm, const struct sm_cta *cta, int32_t status)
{
	struct gg_trace_record *record = &sm->traces[sm->trace_put & (sm->cap->trace_entries - 1)];

	record->header = gg_put(GG_TRACE_RECORD_TYPE, GG_TRACE_TYPE_CTA) |
			 gg_put(GG_TRACE_RECORD_PLACE, cta->unit) |
			 gg_put(GG_TRACE_RECORD_SM, sm->boot.sm);
	record->tag = cta->task->tag;
	record->cta_lo = gg_low(cta->linear);
	record->extra = (uint32_t)status;
	record->start_lo = gg_low(cta->start);
	record->start_hi = gg_high(cta->start);
	record->end_lo = gg_low(sm->now);
	record->end_hi = gg_high(sm->now);
	sm->trace_put++;
	fence_release(); /* the record before the count that shows it */
	mmio_write32(&sm->state->trace_put, sm->trace_put);
}
