/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/trap.h"

#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/bell.h"
#include "firmware/sm/cga/cga.h"
#include "firmware/sm/cga/remote.h"
#include "firmware/sm/cta.h"
#include "firmware/sm/fault.h"
#include "firmware/sm/pull/run.h"
#include "firmware/sm/report.h"
#include "firmware/sm/request.h"
#include "firmware/sm/schedule.h"
#include "firmware/sm/sm_run.h"
#include "firmware/sm/units.h"
#include "hal/hart.h"
#include "hal/irq.h"
#include "hal/mmio.h"
#include "hal/riscv/csr.h"
#include "hal/timer.h"

/* The answer becomes the result of the call. A wrong address or rank ends the CTA, and its fault record names the
 * address. */
static int32_t trap_ask_member(const struct sm *sm, struct sm_cta *cta, struct fault *fault)
{
	uintptr_t *arguments = &cta->context.x[SM_A0];

	fault->value = arguments[0];
	if (arguments[SM_CALL] == GG_CALL_CLUSTER_MAP) {
		return remote_map(sm, cta, arguments[0], arguments[1], &arguments[0]);
	}
	return remote_rank(sm, cta, arguments[0], &arguments[0]);
}

static void trap_call(struct sm *sm, struct sm_cta *cta, struct fault *fault)
{
	uintptr_t *arguments = &cta->context.x[SM_A0]; /* a0 … a7 */

	switch (arguments[SM_CALL]) {
	case GG_CALL_YIELD:
		cta->context.pc += SM_CALL_BYTES;
		arguments[0] = 0;
		schedule_yield(sm);
		return;
	case GG_CALL_LAUNCH:
	case GG_CALL_QUEUE_PUSH:
	case GG_CALL_QUEUE_CLOSE:
	case GG_CALL_PRINT:
	case GG_CALL_OCCUPANCY:
		request_ask(sm, cta);
		return;
	case GG_CALL_CLUSTER_BARRIER:
		cga_barrier(sm, cta);
		return;
	case GG_CALL_CLUSTER_MAP:
	case GG_CALL_CLUSTER_RANK:
		fault->status = trap_ask_member(sm, cta, fault);
		if (fault->status == GG_OK) {
			cta->context.pc += SM_CALL_BYTES;
			return;
		}
		break;
	case GG_CALL_DIVERGED:
		fault->status = GG_ERR_DIVERGED;
		fault->thread = (uint32_t)arguments[0];
		break;
	case GG_CALL_ABORT:
		fault->status =
			arguments[0] == GG_ABORT_STACK ? GG_ERR_STACK_OVERFLOW : GG_ERR_ABORTED;
		fault->thread = (uint32_t)arguments[1];
		break;
	default:
		break;
	}
	cta_fault(sm, cta, fault);
}

/* An access to what may be another member's memory. The page below the CTA's own memory may be that,
 * too: it is a stack that overflowed when its pointer is there.
 * @return  Whether the CTA shall try again; else `fault` says what is wrong. */
static bool trap_reach(struct sm *sm, struct sm_cta *cta, struct fault *fault)
{
	const bool overflow = fault->status == GG_ERR_STACK_OVERFLOW;
	int32_t status;

	if (cta->sequence == 0 || (overflow && cta->context.x[SM_SP] < cta->base)) {
		return false;
	}
	status = remote_open(sm, cta, fault->value);
	if (status != GG_OK && (!overflow || status == GG_ERR_CLUSTER_GONE)) {
		fault->status = status;
	}
	return status == GG_OK;
}

static void trap_exception(struct sm *sm, struct sm_cta *cta, uintptr_t cause, uintptr_t value)
{
	struct fault fault = {
		.status = fault_status(cause, value, cta->base),
		.thread = fault_thread(sm, cta),
		.cause = cause,
		.value = value,
	};

	if (cause == CAUSE_ECALL_USER || cause == CAUSE_ECALL_MACHINE) {
		trap_call(sm, cta, &fault);
	} else if ((cause != CAUSE_LOAD_ACCESS && cause != CAUSE_STORE_ACCESS) ||
		   !trap_reach(sm, cta, &fault)) {
		cta_fault(sm, cta, &fault);
	}
}

void sm_trapped(struct sm *sm, uintptr_t cause, uintptr_t value)
{
	struct sm_cta *cta = sm->current;
	const uintptr_t interrupt = (uintptr_t)1 << (sizeof(uintptr_t) * 8 - 1);

	sm_run_arrive(sm);
	run_settle(sm, cta);
	if (!schedule_charge(sm, cta)) {
		cta_fault_status(sm, cta, GG_ERR_TIME_LIMIT);
	} else if ((cause & interrupt) == 0) {
		trap_exception(sm, cta, cause, value);
		if (sm->nap_due) {
			sm_run_nap(sm);
		}
	} else if (cause == (interrupt | IRQ_CAUSE_TIMER)) {
		sm->idle_yields = 0;
		sm_run_tick(sm);
	} else {
		sm_run_look(sm);
	}
	sm_run(sm, false, 0);
}

/* Nothing here can be trusted any more: leave a record, tell the CP, and stop. */
void sm_bug(struct sm *sm, uintptr_t cause, uintptr_t value)
{
	if (!sm->bugged) {
		sm->bugged = true;
		fault_bug(sm, cause, value);
		mmio_write32(&sm->state->hart_state, GG_HART_STATE_STOPPED);
		bell_note(sm);
		bell_ring(sm);
	}
	irq_source_disable(IRQ_SOURCE_SOFTWARE | IRQ_SOURCE_TIMER);
	hart_stop();
}
