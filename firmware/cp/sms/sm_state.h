/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The state of each SM: its free resources, which task it is assigned, and whether it has acknowledged that task's
 * state (S0-R27). Owns the CP's words of SM STATE.
 *
 * This unit keeps the free resources of each SM; sm_class.h derives free slots from them.
 *
 * The CP allocates the memory of the SMs: units are bits of a word, and a CTA takes the lowest run of free units
 * that is long enough. So an SM can never be over-committed (S0-R35), not even because its memory is fragmented.
 */
#ifndef FIRMWARE_CP_SMS_SM_STATE_H
#define FIRMWARE_CP_SMS_SM_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/task/task.h"
#include "hal/ipi.h"
#include "hal/launch_unit.h"

/** SMs whose free resources or readiness changed since sm_class.c looked last, a bitmap by number. Set by sm_state.c,
 * cleared by sm_class.c. */
extern uint32_t sm_state_news[CP_SM_WORDS];

/** SMs that hold nothing and may take CTAs, a bitmap by number. Written by sm_state.c. */
extern uint32_t sm_state_idle[CP_SM_WORDS];

/** Counts changes of the ranks and domains of SMs. Whatever was kept by rank or domain is invalid when it has
 * changed. Written by sm_state.c. */
extern uint32_t sm_state_order;

/** Interrupt an SM, so that it looks at its words and rings. */
static inline void sm_interrupt(uint32_t sm)
{
	ipi_send(sm + 1); /* hart 0 is the CP */
}

/** Interrupt a set of SMs by one store. There is a launch unit.
 * @param sms  A bitmap by number; with the unit there are at most 31. */
static inline void sm_interrupt_set(uint32_t sms)
{
	launch_unit_ring(sms << 1);
}

/** Reset the state: all SMs are absent. */
void sm_state_init(void);

/** Add an SM that has answered at boot: it is enabled, and all its resources are free (S1-R100). */
void sm_state_add(uint32_t sm);

/** Enable or disable an SM for new CTAs. An SM that is absent or lost stays disabled until it is back. */
void sm_state_enable(uint32_t sm, bool enabled);

/** Whether an SM serves. One that does not takes no CTA; what it holds is released as usual. */
enum sm_service {
	SM_SERVICE_LOST,  /**< It is lost, or was never there; nobody expects it back. */
	SM_SERVICE_BACK,  /**< It is lost, and is being started again. */
	SM_SERVICE_HANGS, /**< It is asked to stop because it does not answer. */
	SM_SERVICE_GIVEN, /**< It is asked to stop because the host wants that: no CTA is to blame if it is lost. */
	SM_SERVICE_YES, /**< It serves. */
};

/** Note whether an SM serves; that it does again, sm_state_regain() notes. */
void sm_state_serve(uint32_t sm, enum sm_service service);

/** Note that an SM is being reset.
 * @param reason  SM_SERVICE_HANGS or SM_SERVICE_GIVEN; it does not matter when the SM is lost. */
void sm_state_stop(uint32_t sm, enum sm_service reason);

/** Whether an SM serves. */
enum sm_service sm_state_service(uint32_t sm);

/** Whether an SM is lost: nothing that it says is heard. */
static inline bool sm_state_is_lost(uint32_t sm)
{
	return sm_state_service(sm) <= SM_SERVICE_BACK;
}

/** Note that a lost SM has started again: it has no task, and is enabled if the host has not disabled it. */
void sm_state_regain(uint32_t sm);

/** Whether an SM is present and enabled. */
bool sm_state_enabled(uint32_t sm);

/** Whether an SM has CTAs, and is present. SMs that are lent are not known to have any. */
bool sm_state_owes(uint32_t sm);

/** A count of the changes of which SMs are enabled or expected, and of their ranks; wraps at 2^32. */
uint32_t sm_state_version(void);

/** Set the SM priority list (S0-R31).
 * @param order  order[rank] is the number of an SM; the caller has checked that each SM is there once. */
void sm_state_rank(const uint16_t order[CP_SMS]);

/** The SM of a rank. */
uint32_t sm_state_sm(uint32_t rank);

/** The rank of an SM. */
uint32_t sm_state_rank_of(uint32_t sm);

/** Free slots of an SM for CTAs with these needs (S0-R31, S1-R49). This is 0 for an SM that is disabled. */
uint32_t sm_state_slots(uint32_t sm, const struct task_needs *needs);

/** Free slots of an SM that holds nothing, if it is enabled. */
uint32_t sm_state_slots_whole(const struct task_needs *needs);

/** Slots of all SMs of the device, enabled or not, if they held nothing. */
uint32_t sm_state_slots_all(const struct task_needs *needs);

/** Whether an SM that holds nothing has more slots for these needs than any that holds something: nothing else than CTA slots
 * is the limit. */
bool sm_state_idle_is_best(const struct task_needs *needs);

#define SM_STATE_NONE UINT32_MAX /**< No SM. */

/** The SM with the most free slots for these needs and of those the first (S0-R31), while no SM has a rank, if it is one that holds
 * nothing; or SM_STATE_NONE, and then the levels of all SMs tell. An SM that holds nothing has the most free slots. Another one may have
 * as many only when something else than its CTA slots is the limit, and it comes first only with a lower number. */
static inline __attribute__((always_inline)) uint32_t
sm_state_best_idle(const struct task_needs *needs)
{
	uint32_t word = 0;

	while (sm_state_idle[word] == 0) {
		if (++word == device.sm_words) {
			return SM_STATE_NONE;
		}
	}
	const uint32_t sm = word * 32 + bits_lowest(sm_state_idle[word]);

	return sm == 0 || sm_state_idle_is_best(needs) ? sm : SM_STATE_NONE;
}

/** Free slots of an SM as if it were idle (S1-R44, S1-Q10), also while it is being reset; 0 when it is disabled or lost. */
uint32_t sm_state_slots_idle(uint32_t sm, const struct task_needs *needs);

/** Set the domains of an SM (S0-R25, S1-R2). The caller calls sm_tree_build() afterwards.
 * @param group  A word of CONFIG.group; its GPC is 0 to 31. */
void sm_state_group(uint32_t sm, uint32_t group);

/** Number of the GPC of an SM, 0 to 31. */
uint32_t sm_state_gpc(uint32_t sm);

/** Number of the CPC of an SM in its GPC, 0 to 255. */
uint32_t sm_state_cpc(uint32_t sm);

/** Number of the TPC of an SM in its CPC, 0 to 255. */
uint32_t sm_state_tpc(uint32_t sm);

/** Switch the throttle mode (S0-R22): every `sms`-th SM gets the memory of `sms` SMs, and only these take CTAs. No
 * CTA is resident; no SM is assigned a task afterwards.
 * @param sms  A power of two, at most the number of SMs; 1 leaves throttle mode. */
void sm_state_share(uint32_t sms);

/** Take the resources of CTAs of a task from an SM.
 * @param ctas  At most the SM's free slots for the task.
 * @return      Lowest unit of each CTA, a bit each. */
uint32_t sm_state_reserve(uint32_t sm, const struct task *task, uint32_t ctas);

/** Take the resources of one CTA of a task from an SM that holds nothing: its lowest unit is unit 0. */
void sm_state_reserve_first(uint32_t sm, const struct task *task);

/** Whether an SM on which CTAs of a task have ended has room for exactly as many of the same task. It had room for none
 * of them before.
 * @param ctas  How many have ended; their resources are not released. */
bool sm_state_fits_again(uint32_t sm, const struct task *task, uint32_t ctas, uint32_t starts);

/** Release the resources of CTAs that have ended, and reserve those of as many of the same task;
 * sm_state_fits_again() is true.
 * @param starts  Lowest unit of each of those that have ended, a bit each.
 * @return        That of each of the new ones. */
uint32_t sm_state_again(uint32_t sm, const struct task *task, uint32_t starts);

/** Take the resources of one CTA of a task that was parked, if they are free: the units that it had.
 * @param start  Its lowest unit, as a bit. */
bool sm_state_retake(uint32_t sm, const struct task *task, uint32_t start);

/** Give back the resources of the only CTA of a task, which has ended, and note that the task leaves its slot, as
 * sm_state_release() and sm_state_forget() do; look for the SM's acknowledgement, as sm_state_hear() does.
 * @param starts  Its lowest unit, as a bit. */
void sm_state_end_only(uint32_t sm, const struct task *task, uint32_t starts);

/** Whether the host has given the SMs ranks other than their numbers (S0-R31). */
static inline bool sm_state_is_ranked(void)
{
	return due_is(DUE_RANKED);
}

/** Note that a task leaves its slot, as sm_state_forget() does, when only one SM was sent CTAs of it. */
void sm_state_forget_only(uint32_t sm, uint32_t slot);

/** Lend SMs that are idle to CTAs: they are not idle any more, and are unchanged otherwise. Until sm_state_return() nobody
 * may look at them or give them anything.
 * @param sms   The SMs, a bitmap by number.
 * @param ctas  CTAs of all of them. */
void sm_state_lend(const uint32_t *sms, uint32_t ctas);

/** Make SMs idle again that were lent. The parameters are those of sm_state_lend(). */
void sm_state_return(const uint32_t *sms, uint32_t ctas);

/** Give back the resources of CTAs that have ended.
 * @param starts  Lowest unit of each CTA, a bit each; of CTAs of a CGA 0: their memory is given back later, by
 *                sm_state_free_units() (S1-R151, S1-Q18).
 * @param ctas    Number of CTAs. */
void sm_state_release(uint32_t sm, const struct task *task, uint32_t starts, uint32_t ctas);

/** Give back the memory of CTAs of an innermost CGA that has ended (S1-Q18).
 * @param units  All units of those CTAs, a bit each. */
void sm_state_free_units(uint32_t sm, uint32_t units);

/** Assign a task to an SM if its last assignment was another one (S0-R27). The assignment goes to the SM with the packet
 * that is written next.
 * @param task  Holds a slot.
 * @return      For `packet.assign`: the SM takes the state of a task and acknowledges before it takes a packet with
 *              another word than the last (S0-C2). */
uint32_t sm_state_assign(uint32_t sm, const struct task *task);

/** The same for an SM that most likely has the task. */
uint32_t sm_state_assign_again(uint32_t sm, const struct task *task);

/** The same for the first CTA of a task, while the device is not traced. */
uint32_t sm_state_assign_first(uint32_t sm, const struct task *task);

/** Show that an SM is assigned to a task that it was not assigned to before. It was sent CTAs without sm_state_assign().
 * @param assign  What it acknowledges. */
void sm_state_assign_as(uint32_t sm, uint32_t assign);

/** Look whether an SM has acknowledged its assignment, and show the host if it has. */
void sm_state_hear(uint32_t sm);

/** Note that a task leaves its slot: SMs that are assigned to it have no task now. */
void sm_state_forget(const struct task *task, uint32_t slot);

/** Number of CTAs, or streams, that were issued to SMs and have not been reported. */
uint32_t sm_state_resident(void);

#endif /* FIRMWARE_CP_SMS_SM_STATE_H */
