/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/sm_main.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/sm/bell.h"
#include "firmware/sm/cga/cga.h"
#include "firmware/sm/float.h"
#include "firmware/sm/pull/hand.h"
#include "firmware/sm/sm_asm.h"
#include "firmware/sm/sm_run.h"
#include "firmware/sm/units.h"
#include "hal/atomic.h"
#include "hal/cpu.h"
#include "hal/fence.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/mmio.h"
#include "hal/riscv/csr.h"

#define NO_STOP UINT32_MAX /* stop_slot: nothing to stop */

/* SMs without A take no part in anything that needs it. */
const bool atomic_asks = false;

/** The feature of the ABI that each ability of a core stands for. */
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
	sm->trace_put = mmio_read32(&sm->state->trace_put); /* before a reset */
	sm->traces = sm_block(sm, cap->trace_offset + (uint32_t)sizeof(struct gg_trace), number + 1,
			      cap->trace_stride);
	sm->faults = sm_block(sm, cap->faults_offset, number, faults_bytes);
	sm->members = cga_block(sm, number);
	sm->pull = sm_block(sm, cap->pull_offset, number, sizeof(struct gg_pull));
	sm->bell = sm_block(sm, cap->bells_offset, number, 1);
	sm_assert(cap->launch_entries <= SM_UNITS_MAX); /* sm->asked */
}

/* Only what the board says the core has is tried. A core that lacks it all the same finds out here. */
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

/* What mret will restore. That is user mode, where interrupts are always enabled. A core without user mode goes on
 * in machine mode and needs MPIE for its interrupts. Traps keep both fields as they are. */
static void sm_prepare_return(void)
{
	csr_clear(mstatus, MSTATUS_MPP);
	csr_set(mstatus, MSTATUS_MPIE);
}

/* What a host finds of this runtime's state, should it want to know what the SM does. */
static const struct gg_sm_look look = {
	.look_bytes = sizeof(look),
	.current = offsetof(struct sm, current),
	.run_since = offsetof(struct sm, run_since),
	.ctas = offsetof(struct sm, ctas),
	.cta_count = SM_UNITS_MAX,
	.cta_bytes = sizeof(struct sm_cta),
	.cta_task = offsetof(struct sm_cta, task),
	.cta_block = offsetof(struct sm_cta, block),
	.cta_state = offsetof(struct sm_cta, state),
	.cta_level = offsetof(struct sm_cta, level),
	.cta_linear = offsetof(struct sm_cta, linear),
	.cta_start = offsetof(struct sm_cta, start),
	.cta_used = offsetof(struct sm_cta, used),
	.task_name = offsetof(struct sm_task, name),
	.task_tag = offsetof(struct sm_task, tag),
	.task_entry = offsetof(struct sm_task, entry),
};

static void sm_announce(struct sm *sm)
{
	sm->boot.look = (uint32_t)((uintptr_t)&look - (uintptr_t)sm);
	sm->stopped = NO_STOP;
	mmio_write32(&sm->state->stop_ack, sm->stopped);
	mmio_write32(&sm->state->features, sm->features);
	mmio_write32(&sm->state->pmp_entries, sm->protection.entries);
	fence_release(); /* write all the rest before the word that says it is there */
	mmio_write32(&sm->state->hart_state, GG_HART_STATE_STARTED);
	bell_note(sm);
}

void sm_main(struct sm *sm)
{
	sm_clear((uintptr_t)sm + sizeof(sm->boot), sizeof(*sm) - sizeof(sm->boot));
	sm_find_blocks(sm);
	hand_init(sm);
	units_take_share(sm);
	sm_probe(sm);
	float_init(sm);
	sm_prepare_return();
	ipi_clear();
	irq_source_enable(IRQ_SOURCE_SOFTWARE);
	sm_announce(sm);
	sm_run_look(sm);
	sm_run(sm, false, 0);
}
