/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A CTA as a member of CGAs: its entry in the CLUSTER block, where the others are (S1-R71, S1-R138), the
 * barriers of its CGAs (S1-R135, S1-R136), and its end (S1-R150).
 *
 * At the barrier of an innermost CGA the SMs count who has come, in one word (cluster.barriers), if they have A. The
 * last one to come, or to end, begins the next round there, and interrupts the SMs of the others. A CTA waits while the
 * round is the one in which it came.
 *
 * Any other barrier is two bits of each CTA and level: the SM changes the one in `come`, the CP makes the one in `go`
 * equal when all CTAs of the CGA that have not ended have come. A CTA that waits at a barrier is resident, but not in the
 * queue for the hart. Its time goes on.
 *
 * The kernels cannot write the CLUSTER blocks: the CP's words in them are trusted.
 */
#ifndef FIRMWARE_SM_CGA_CGA_H
#define FIRMWARE_SM_CGA_CGA_H

#include "firmware/sm/sm.h"

/** An SM's block of members. */
struct gg_cluster *cga_block(const struct sm *sm, uint32_t number);

/** Entry of the CTA whose lowest unit is at a place.
 * @param place  As in member.next: SM and unit. */
const struct gg_member *cga_member(const struct sm *sm, uint32_t place);

/** The place of a CTA of this SM. */
uint32_t cga_place(const struct sm *sm, const struct sm_cta *cta);

/** Place of the member of a rank of a CTA's innermost CGA, by walking from the CTA's own entry (S1-R144).
 * @param rank  Below the members of the CGA. */
uint32_t cga_find(const struct sm *sm, const struct sm_cta *cta, uint32_t rank);

/** Whether the CTA of a CTA's innermost CGA that started at a place has ended (S1-R152). */
bool cga_is_gone(const struct sm *sm, const struct sm_cta *cta, uint32_t place);

/** A CTA has arrived with a packet that names a CGA. Its entry is there already (S1-R137). */
void cga_join(struct sm *sm, struct sm_cta *cta);

/** A CTA of a CGA starts: its memory holds nothing of another context any more, and its block is written. From
 * now on the others may reach into its shared memory. */
void cga_begin(struct sm *sm, const struct sm_cta *cta);

/** Whether the CTA of a CTA's innermost CGA that is at a place has started and has not ended well. */
bool cga_has_begun(const struct sm *sm, const struct sm_cta *cta, uint32_t place);

/** Whether the control processor has asked that the CTA of a CGA whose lowest unit is `unit` be stopped. */
static inline bool cga_is_to_stop(const struct sm *sm, uint32_t unit)
{
	const struct gg_member *entries = (const struct gg_member *)sm->members->members;

	return (entries[unit].cga & GG_MEMBER_STOP) != 0;
}

/** A CTA of a CGA ends: all that it read and wrote is done, then the others can see that it is gone. This comes
 * before its report, so that the report tells the CP of both (S1-R150, S1-Q17).
 * A CTA that failed or was stopped does not seem gone: its whole task is being stopped, and an access to its memory,
 * which stays its own until the CGA has ended, must not fail first and hide the failure (S1-R156).
 * @param status  The status with which it ends. */
void cga_leave(struct sm *sm, struct sm_cta *cta, int32_t status);

/** A CTA off the hart called GG_CALL_CLUSTER_BARRIER, with the arguments in its registers. It is blocked, or answered
 * at once. A CTA that arrives again without having waited has to wait first. */
void cga_barrier(struct sm *sm, struct sm_cta *cta);

/** Let those CTAs go on for whose barrier all have come.
 * @return  A CTA whose time is up: the caller ends it, and calls again for the others. NULL: there is none. */
struct sm_cta *cga_look(struct sm *sm);

#endif /* FIRMWARE_SM_CGA_CGA_H */
