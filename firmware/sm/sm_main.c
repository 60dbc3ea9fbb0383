/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/abi/field.h"
#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/cluster.h"
#include "firmware/sm/cta.h"
#include "firmware/sm/fault.h"
#include "firmware/sm/hand.h"
#include "firmware/sm/launch_ring.h"
#include "firmware/sm/report.h"
#include "firmware/sm/remote.h"
#include "firmware/sm/request.h"
#include "firmware/sm/schedule.h"
#include "firmware/sm/sm.h"
#include "firmware/sm/sm_asm.h"
#include "firmware/sm/trap.h"
#include "hal/cpu.h"
#include "hal/fence.h"
#include "hal/hart.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/mmio.h"
#include "hal/riscv/csr.h"
#include "hal/timer.h"

#define NO_STOP UINT32_MAX /* stop_slot: nothing to stop */

/** Which features of the ABI a core's abilities are. */
static const struct {
	uint8_t ability; /* enum cpu_feature */
	uint8_t feature; /* enum gg_feature */
} abilities[] = {
	{ CPU_ATOMIC, GG_FEATURE_ATOMICS },  { CPU_FLOAT, GG_FEATURE_FLOAT },
	{ CPU_DOUBLE, GG_FEATURE_DOUBLE },   { CPU_USER, GG_FEATURE_USER_MODE },
	{ CPU_MULDIV, GG_FEATURE_MULTIPLY }, { CPU_COMPRESSED, GG_FEATURE_COMPRESSED },
};

/* Block `number` of an array that starts at an offset of the capability block. */
static void *sm_block(const struct sm *sm, uint32_t offset, uint32_t number, uint32_t stride)
{
	return (void *)((uintptr_t)sm->cap + offset + (uintptr_t)number * stride);
}

static void sm_find_blocks(struct sm *sm)
{
	sm->cap = (const struct gg_cap *)(uintptr_t)gg_join(sm->boot.cap_lo, sm->boot.cap_hi);

	const struct gg_cap *cap = sm->cap;
	const uint32_t number = sm->boot.sm;
	const uint32_t faults_bytes = cap->fault_entries * (uint32_t)sizeof(struct gg_fault_record);

	sm->state = sm_block(sm, cap->sm_state_offset, number, sizeof(struct gg_sm_state));
	sm->slots = sm_block(sm, cap->task_table_offset, 0, 0);
	sm->rings = sm_block(sm, cap->launch_offset, number, cap->launch_stride);
	sm->packets = (const struct gg_packet *)(sm->rings + 1);
	sm->reports = (struct gg_report *)((uintptr_t)(sm->packets + cap->launch_entries));
	sm->requests = (struct gg_request *)(sm->reports + cap->launch_entries);
	sm->answers = (const struct gg_answer *)(sm->requests + cap->launch_entries);
	sm->traces = sm_block(sm, cap->trace_offset + (uint32_t)sizeof(struct gg_trace), number + 1,
			      cap->trace_stride);
	sm->faults = sm_block(sm, cap->faults_offset, number, faults_bytes);
	sm->cluster = cluster_block(sm, number);
	sm->pull = sm_block(sm, cap->pull_offset, number, sizeof(struct gg_pull));
	sm->bell = sm_block(sm, cap->bells_offset, number, 1);
	sm_assert(cap->launch_entries <= SM_UNITS_MAX); /* sm->asked */
}

/* Only what the board says it has is tried. A core that cannot do it finds out here. */
static void sm_probe(struct sm *sm)
{
	const uint32_t found = cpu_features();

	for (uint32_t i = 0; i < sizeof(abilities) / sizeof(abilities[0]); i++) {
		if ((found & abilities[i].ability) != 0) {
			sm->features |= 1u << abilities[i].feature;
		}
	}
	sm->features |= 1u << GG_FEATURE_TIMER | 1u << GG_FEATURE_PROTECTION;
	sm->features &= sm->boot.features;
	if ((sm->features & 1u << GG_FEATURE_FLOAT) != 0 && !cpu_enable_float()) {
		sm->features &= ~(1u << GG_FEATURE_FLOAT | 1u << GG_FEATURE_DOUBLE);
	}
	protection_probe(&sm->protection);
	if (sm->protection.entries > sm->boot.pmp_entries) {
		sm->protection.entries = sm->boot.pmp_entries;
	}
	if (sm->protection.entries == 0 || (sm->features & 1u << GG_FEATURE_USER_MODE) == 0) {
		sm->features &= ~(1u << GG_FEATURE_PROTECTION);
	}
	cpu_open_counters();
}

/* What mret will restore: user mode. A core that has none goes on in machine mode and needs MPIE
 * there for its interrupts; in user mode they are always enabled. Traps keep both as they are. */
static void sm_prepare_return(void)
{
	csr_clear(mstatus, MSTATUS_MPP);
	csr_set(mstatus, MSTATUS_MPIE);
}

static void sm_announce(struct sm *sm)
{
	sm->stopped = NO_STOP;
	mmio_write32(&sm->state->stop_ack, sm->stopped);
	mmio_write32(&sm->state->features, sm->features);
	mmio_write32(&sm->state->pmp_entries, sm->protection.entries);
	fence_release(); /* all the rest before the word that says it is there */
	mmio_write32(&sm->state->hart_state, GG_HART_STATE_STARTED);
	bell_note(sm);
}

void sm_main(struct sm *sm)
{
	sm_clear((uintptr_t)sm + sizeof(sm->boot), sizeof(*sm) - sizeof(sm->boot));
	sm_find_blocks(sm);
	hand_init(sm);
	cta_share(sm);
	sm_probe(sm);
	sm_prepare_return();
	ipi_clear();
	irq_source_enable(IRQ_SOURCE_SOFTWARE);
	sm_announce(sm);
	launch_ring_look(sm);
	schedule_run(sm);
}

/* Each way in counts for the heartbeat. */
static void sm_arrive(struct sm *sm)
{
	sm->now = timer_now();
	sm->health++;
	mmio_write32(&sm->state->health, sm->health);
}

void sm_exited(struct sm *sm, uintptr_t status)
{
	struct sm_cta *cta = sm->current;

	sm_arrive(sm);
	sm->idle_yields = 0;
	if (status == 0) {
		cta_exit(sm, cta);
	} else {
		cta_fail(sm, cta, GG_ERR_ABORTED, 0);
		report_settle(sm, &sm->tasks[cta->slot]);
	}
	schedule_run(sm);
}

/* The answer is the result of the call; a wrong one ends the CTA, and its record names the address. */
static int32_t sm_ask_member(const struct sm *sm, struct sm_cta *cta, struct fault *fault)
{
	uintptr_t *arguments = &cta->context.x[SM_A0];

	fault->value = arguments[0];
	if (arguments[SM_CALL] == GG_CALL_CLUSTER_MAP) {
		return remote_map(sm, cta, arguments[0], arguments[1], &arguments[0]);
	}
	return remote_rank(sm, cta, arguments[0], &arguments[0]);
}

static void sm_call(struct sm *sm, struct sm_cta *cta, struct fault *fault)
{
	uintptr_t *arguments = &cta->context.x[SM_A0]; /* a0 … a7 */

	switch (arguments[SM_CALL]) {
	case GG_CALL_YIELD:
		cta->context.pc += 4;
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
		cluster_barrier(sm, cta);
		return;
	case GG_CALL_CLUSTER_MAP:
	case GG_CALL_CLUSTER_RANK:
		fault->status = sm_ask_member(sm, cta, fault);
		if (fault->status == GG_OK) {
			cta->context.pc += 4;
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
static bool sm_reach(struct sm *sm, struct sm_cta *cta, struct fault *fault)
{
	const bool overflow = fault->status == GG_ERR_STACK_OVERFLOW;
	int32_t status;

	if (cta->sequence == 0 || (overflow && cta->context.x[SM_SP] < cta_window(sm, cta))) {
		return false;
	}
	status = remote_open(sm, cta, fault->value);
	if (status != GG_OK && (!overflow || status == GG_ERR_CLUSTER_GONE)) {
		fault->status = status;
	}
	return status == GG_OK;
}

static void sm_exception(struct sm *sm, struct sm_cta *cta, uintptr_t cause, uintptr_t value)
{
	struct fault fault = {
		.status = fault_status(cause, value, cta_window(sm, cta)),
		.thread = cta_thread(sm, cta),
		.cause = cause,
		.value = value,
	};

	if (cause == CAUSE_ECALL_USER || cause == CAUSE_ECALL_MACHINE) {
		sm_call(sm, cta, &fault);
	} else if ((cause != CAUSE_LOAD_ACCESS && cause != CAUSE_STORE_ACCESS) ||
		   !sm_reach(sm, cta, &fault)) {
		cta_fault(sm, cta, &fault);
	}
}

void sm_trapped(struct sm *sm, uintptr_t cause, uintptr_t value)
{
	struct sm_cta *cta = sm->current;
	const uintptr_t interrupt = (uintptr_t)1 << (sizeof(uintptr_t) * 8 - 1);
	struct fault late = { .status = GG_ERR_TIME_LIMIT };

	sm_arrive(sm);
	if (!schedule_charge(sm, cta)) {
		late.thread = cta_thread(sm, cta);
		cta_fault(sm, cta, &late);
	} else if ((cause & interrupt) == 0) {
		sm_exception(sm, cta, cause, value);
	} else if (cause == (interrupt | IRQ_CAUSE_TIMER)) {
		sm->idle_yields = 0;
		schedule_tick(sm);
	} else {
		launch_ring_look(sm);
	}
	schedule_run(sm);
}

/* Nothing here can be trusted any more: leave a record, tell the CP, stop. */
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
