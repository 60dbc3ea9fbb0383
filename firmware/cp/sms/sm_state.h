/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * SM state: what each SM has free, which task it is assigned, and how far that task's state has
 * come (S0-R27). Owns the CP's words of SM STATE.
 *
 * Raw free resources are kept per SM; free slots are derived from them (sm_class.h).
 *
 * Memory is allocated here, not by the SM: units are bits of a word, a CTA takes the lowest run
 * that is long enough. An SM can therefore never be over-committed (S0-R35), not even by
 * fragmentation.
 */
#ifndef FIRMWARE_CP_SMS_SM_STATE_H
#define FIRMWARE_CP_SMS_SM_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"
#include "hal/ipi.h"

/** SMs whose free resources or readiness changed since sm_class.c has looked: a bit each. Set by sm_state.c,
 * cleared by sm_class.c. */
extern uint32_t sm_state_news[CP_SM_WORDS];

/** Counts changes of the ranks and domains of SMs: what was kept by rank or domain is void then. Written by
 * sm_state.c. */
extern uint32_t sm_state_order;

/** Interrupt an SM: it looks at its words and rings. */
static inline void sm_interrupt(uint32_t sm)
{
	ipi_send(sm + 1); /* hart 0 is the CP */
}

/** Forget everything: all SMs absent. */
void sm_state_init(void);

/** An SM has answered at boot: all its resources are free (S1-R100). */
void sm_state_add(uint32_t sm);

/** Switch an SM off or on for new CTAs. */
void sm_state_enable(uint32_t sm, bool enabled);

/** Whether an SM is present and enabled. */
bool sm_state_enabled(uint32_t sm);

/** Counts changes of which SMs are enabled, and of their ranks. */
uint32_t sm_state_version(void);

/** Set the SM priority list (S0-R31).
 * @param order  order[rank] is an SM; each SM once: checked by the caller. */
void sm_state_rank(const uint16_t order[CP_SMS]);

/** SM of a rank. */
uint32_t sm_state_sm(uint32_t rank);

/** Rank of an SM. */
uint32_t sm_state_rank_of(uint32_t sm);

/** Free slots of an SM for a class (S0-R31, S1-R49): 0 when it is off, or owes an acknowledgement,
 * for then what is planned for it is not yet sent. */
uint32_t sm_state_slots(uint32_t sm, const struct task_needs *needs);

/** The same, if all SMs were idle and owed nothing (S1-R44, S1-Q10). */
uint32_t sm_state_slots_idle(uint32_t sm, const struct task_needs *needs);

/** Set the domains of an SM (S0-R25, S1-R2).
 * @param group  A word of CONFIG.group; its GPC is 0 to 31. Call sm_tree_build() afterwards. */
void sm_state_group(uint32_t sm, uint32_t group);

/** GPC of an SM, 0 to 31; its CPC in that; its TPC in that. */
uint32_t sm_state_gpc(uint32_t sm);
uint32_t sm_state_cpc(uint32_t sm);
uint32_t sm_state_tpc(uint32_t sm);

/** Throttle mode (S0-R22): share the memory of all SMs among every `sms`-th of them, which then are the
 * only ones that take CTAs; 1 for all. No CTA is resident; no SM has a task afterwards.
 * @param sms  A power of two, at most the number of SMs. */
void sm_state_share(uint32_t sms);

/** Take the resources of `ctas` CTAs from an SM.
 * @param ctas  At most the SM's level for the class.
 * @return      Lowest unit of each CTA, a bit each. */
uint32_t sm_state_reserve(uint32_t sm, const struct task *task, uint32_t ctas);

/** Give back the resources of CTAs.
 * @param starts  Lowest unit of each CTA.
 * @param ctas    How many they are. */
void sm_state_release(uint32_t sm, const struct task *task, uint32_t starts, uint32_t ctas);

/** The same in two steps, for CTAs of a CGA: their slots, warps and registers when they end, their memory
 * when their innermost CGA has ended (S1-R151, S1-Q18).
 * @param units  All units of those CTAs. */
void sm_state_end_ctas(uint32_t sm, const struct task *task, uint32_t ctas);
void sm_state_free_units(uint32_t sm, uint32_t units);

/** Whether the SM runs this slot's task and has acknowledged its state (S0-C2). */
bool sm_state_ready(uint32_t sm, uint32_t slot);

/** Assign a task: the SM takes no CTA until it has acknowledged (S0-R27). */
void sm_state_assign(uint32_t sm, uint32_t slot);

/** Look at the SM's acknowledgement word.
 * @return  true once, when the SM has acknowledged the assignment that it was waiting for. */
bool sm_state_acknowledged(uint32_t sm);

/** A slot is freed: SMs that were assigned to it have no task. */
void sm_state_forget(const struct task *task, uint32_t slot);

/** CTAs resident on all SMs. */
uint32_t sm_state_resident(void);

#endif /* FIRMWARE_CP_SMS_SM_STATE_H */
