/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/fault.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/units.h"
#include "hal/fence.h"
#include "hal/mmio.h"
#include "hal/riscv/csr.h"

int32_t fault_status(uintptr_t cause, uintptr_t value, uintptr_t window)
{
	switch (cause) {
	case CAUSE_FETCH_MISALIGNED:
	case CAUSE_LOAD_MISALIGNED:
	case CAUSE_STORE_MISALIGNED:
		return GG_ERR_FAULT_MISALIGNED;
	case CAUSE_LOAD_ACCESS:
	case CAUSE_STORE_ACCESS:
		return window - value - 1 < SM_PAGE_BYTES ? GG_ERR_STACK_OVERFLOW
							  : GG_ERR_FAULT_ACCESS;
	case CAUSE_FETCH_ACCESS:
		return GG_ERR_FAULT_ACCESS;
	case CAUSE_ECALL_USER:
	case CAUSE_ECALL_MACHINE:
		return GG_ERR_FAULT_CALL;
	case CAUSE_BREAKPOINT:
		return GG_ERR_ABORTED;
	case CAUSE_ILLEGAL:
	default:
		return GG_ERR_FAULT_ILLEGAL;
	}
}

uint32_t fault_thread(const struct sm *sm, const struct sm_cta *cta)
{
	return ((const struct gg_cta *)(units_shared(sm, cta) - GG_CTA_BYTES))->thread;
}

static void fault_registers(struct gg_fault_record *record, const struct sm_context *context)
{
	record->pc_lo = gg_low(context->pc);
	record->pc_hi = gg_high(context->pc);
	for (uint32_t number = 0; number < 31; number++) {
		record->registers[2 * number] = gg_low(context->x[number]);
		record->registers[2 * number + 1] = gg_high(context->x[number]);
	}
}

static void fault_cta(struct gg_fault_record *record, const struct sm_cta *cta,
		      const struct sm_task *task)
{
	record->tag = task->tag;
	record->cta_lo = gg_low(cta->linear);
	record->cta_hi = gg_high(cta->linear);
	record->context = task->tmd->context;
	record->cga = cta->cga;
	record->cga_rank = cta->sequence != 0 ? cta->rank : 0;
}

static uint32_t fault_write(struct sm *sm, const struct fault *fault, const struct sm_cta *cta,
			    const struct sm_context *context)
{
	struct gg_fault_record *record =
		&sm->faults[sm->boot.faults & (sm->cap->fault_entries - 1)];

	mmio_write32(&record->sequence, 0); /* the record is not valid while it is written */
	fence_release();
	sm_clear((uintptr_t)record, sizeof(*record));
	record->status = (uint32_t)fault->status;
	record->sm = sm->boot.sm;
	record->thread = fault->thread;
	record->cause = (uint32_t)fault->cause;
	record->address_lo = gg_low(fault->value);
	record->address_hi = gg_high(fault->value);
	fault_registers(record, context);
	if (cta != NULL) {
		fault_cta(record, cta, cta->task);
	}
	sm->boot.faults++;
	fence_release(); /* write the record before the sequence that makes it valid */
	mmio_write32(&record->sequence, sm->boot.faults);
	return sm->boot.faults;
}

uint32_t fault_record(struct sm *sm, const struct sm_cta *cta, const struct fault *fault)
{
	return fault_write(sm, fault, cta, &cta->context);
}

void fault_bug(struct sm *sm, uintptr_t cause, uintptr_t value)
{
	const struct fault fault = { .status = GG_ERR_PANIC, .cause = cause, .value = value };

	fault_write(sm, &fault, NULL, &sm->bug);
}
