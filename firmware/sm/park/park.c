/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/park/park.h"

#include "firmware/abi/field.h"
#include "firmware/sm/float.h"
#include "firmware/sm/report.h"
#include "firmware/sm/schedule.h"
#include "firmware/sm/units.h"

#define PARKED 1 /* report.status */

_Static_assert(sizeof(struct sm_cta) % 8 == 0 &&
		       SM_UNITS_MAX * sizeof(struct sm_cta) <= SM_RUNTIME_BYTES,
	       "the records fit where the runtime is in an SM's own memory");

static uintptr_t bytes_of(const struct sm *sm, const struct sm_cta *cta)
{
	return cta->state == SM_CTA_STARTED ? (uintptr_t)cta->units * sm->unit_bytes : 0;
}

static void leave(struct sm *sm, struct sm_cta *cta, uintptr_t record, uintptr_t memory)
{
	if (cta->state == SM_CTA_WAITING) {
		cta->start = sm->now;
	}
	schedule_remove(sm, cta);
	float_keep(sm, cta);
	sm_copy(record, (uintptr_t)cta, sizeof(*cta));
	sm_copy(memory, cta->base, bytes_of(sm, cta));
	cta->state = SM_CTA_FREE;
	cta->task->resident--;
	report_gather(sm, cta, PARKED, 0);
}

static void come_back(struct sm *sm, struct sm_cta *cta, struct sm_task *task, uintptr_t record,
		      uintptr_t memory)
{
	const uintptr_t base =
		cta->base; /* the share may have changed for one that has not started */

	sm_copy((uintptr_t)cta, record, sizeof(*cta));
	cta->base = base;
	cta->task = task;
	cta->block_of = 0;
	cta->protection_of = 0;
	if (cta->state == SM_CTA_STARTED) {
		units_take(sm, cta);
	}
	sm_copy(cta->base, memory, bytes_of(sm, cta));
	schedule_come_back(sm, cta);
}

/* The memory of a CTA that has not started stays: it may still be another context's. What others that run here meanwhile
 * need is made anew for them, and then for whoever comes after this CTA. */
void park_packet(struct sm *sm, const struct gg_packet *packet, struct sm_task *task)
{
	const bool save = gg_get(packet->pull, GG_PACKET_PARK_SAVE) != 0;
	uintptr_t memory = (uintptr_t)gg_join(packet->first_lo, packet->first_hi);
	uintptr_t record = memory + sm_area_units_bytes(sm->cap);
	struct sm_cta *cta = sm->ctas;

	for (uint32_t starts = packet->starts; starts != 0; starts >>= 1) {
		const bool here = cta->task == task &&
				  (cta->state == SM_CTA_WAITING || cta->state == SM_CTA_STARTED);

		if ((starts & 1u) != 0 && (here || !save)) {
			if (save) {
				leave(sm, cta, record, memory);
			} else {
				come_back(sm, cta, task, record, memory);
			}
		}
		cta++;
		record += sizeof(*cta);
		memory += sm->unit_bytes;
	}
	if (save) {
		report_settle(sm, task);
	}
}
