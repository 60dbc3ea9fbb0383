/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Distributed shared memory: a CTA of a CGA reaches into the shared memory of the others (S1-R73, S1-R145).
 *
 * A kernel asks where a variable lies in another member's memory and then loads, stores and makes
 * atomic operations there like anywhere. On a core with protection the first access faults, and the
 * SM opens a window: a protection region of exactly the shared memory of that member. A CTA has up
 * to four windows, as many as the core's entries allow; the oldest makes place. So windows are to
 * members what a software-filled TLB is to pages.
 *
 * A window is closed at the first trap after its member has ended, and a timer interrupt comes
 * at the latest after a time slice. Until all of the CGA has ended, the CP gives the member's memory to nobody
 * else, so that a late access harms no one (S1-Q18).
 *
 * On a core without protection only what the kernel asks is checked; its accesses are not.
 */
#ifndef FIRMWARE_SM_CGA_REMOTE_H
#define FIRMWARE_SM_CGA_REMOTE_H

#include "firmware/sm/sm.h"

/** Shared memory of the CTA of the same task at a place (member.next). */
uintptr_t remote_shared(const struct sm *sm, const struct sm_cta *cta, uint32_t place);

/** Where a place of a CTA's own shared memory lies in another member's.
 * @param address       In the CTA's shared memory.
 * @param rank          Of the other member.
 * @param[out] mapped   Written when the result is GG_OK.
 * @return              GG_ERR_CLUSTER_RANGE, GG_ERR_CLUSTER_RANK, GG_ERR_CLUSTER_GONE (S1-R159). */
int32_t remote_map(const struct sm *sm, const struct sm_cta *cta, uintptr_t address, uintptr_t rank,
		   uintptr_t *mapped);

/** Rank of the member whose shared memory an address lies in.
 * @param[out] rank  Written when the result is GG_OK; also of a member that has ended.
 * @return           GG_ERR_CLUSTER_RANGE: of none. */
int32_t remote_rank(const struct sm *sm, const struct sm_cta *cta, uintptr_t address,
		    uintptr_t *rank);

/** A load, a store or an atomic operation of a CTA of a CGA was refused. Opens a window when the address
 * is that of a member (S1-R145); at its next turn the CTA can make the access again. A member that has not started
 * may have memory of another context's yet: the CTA yields until it has.
 * @return  GG_OK; GG_ERR_CLUSTER_GONE, GG_ERR_CLUSTER_RANGE (S1-R146, S1-R155); GG_ERR_FAULT_ACCESS: the
 *          address is in no memory of the SMs, or in the CTA's own. */
int32_t remote_open(struct sm *sm, struct sm_cta *cta, uintptr_t address);

/** Close the oldest window. */
void remote_drop(struct sm_cta *cta);

/** Close the windows of members that have ended (S1-R152). */
void remote_prune(const struct sm *sm, struct sm_cta *cta);

#endif /* FIRMWARE_SM_CGA_REMOTE_H */
