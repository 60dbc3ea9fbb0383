/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The barriers of CGAs, one for each level (S1-R135…R137, S1-Q20). Owns the `go` words of the CLUSTER blocks.
 *
 * At the barrier of an innermost CGA the SMs count who has come, if they have A: the CP writes the word in which they do
 * (cga_barrier_word()), and hears no more of it. What follows is of all other barriers.
 *
 * A CTA that arrives at a barrier changes its bit in its SM's `come` word. When all CTAs of the CGA that have not
 * ended have arrived, the CP makes their bits in `go` equal to those in `come`. So a barrier can be used any number
 * of times, and each word has one writer.
 *
 * A barrier counts from the launch on: CTAs that have not started have not arrived, so no CTA passes it before all
 * members are in place. When a CTA has failed or was stopped, all others will be stopped soon, too: CTAs that wait
 * for it stay at the barrier and do not go on as if it had arrived.
 */
#ifndef FIRMWARE_CP_CGA_CGA_BARRIER_H
#define FIRMWARE_CP_CGA_CGA_BARRIER_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga_record.h"

#define CGA_COUNTED \
	gg_get(UINT32_MAX, GG_CLUSTER_RUNNING) /**< Most CTAs of a CGA whose SMs count. */

/** Reset: no CTA waits at a barrier. */
void cga_barrier_init(void);

/** Whether a CGA is small enough for its SMs to count. */
static inline bool cga_barrier_fits(uint32_t ctas)
{
	return CP_CGA_CTAS <= CGA_COUNTED || ctas <= CGA_COUNTED;
}

/** What cluster.barriers has for an innermost CGA that is launched: its SMs count who has come to its barrier, and the CP
 * hears nothing of it, if they have A (device_has_atomics()), and the numbers fit.
 * @param ctas  1 to CP_CGA_CTAS. */
static inline uint32_t cga_barrier_word(uint32_t ctas)
{
	if (!device_has_atomics() || !cga_barrier_fits(ctas)) {
		return 0;
	}
	return GG_CLUSTER_COUNTED | gg_put(GG_CLUSTER_RUNNING, ctas) |
	       gg_put(GG_CLUSTER_MISSING, ctas);
}

/** Read which CTAs of an SM have arrived at barriers since the last call. */
void cga_barrier_hear(uint32_t sm);

/** CTAs of an SM, by their lowest unit, a bit each, with words of a barrier that are not equal: those that wait at one,
 * or have arrived there. Of CTAs that have ended only these need cga_barrier_leave(). */
uint32_t cga_barrier_open(uint32_t sm);

/** Remove a CTA that has ended from the barriers of its CGAs. The caller subtracts it from their `running` counts
 * afterwards. */
void cga_barrier_leave(struct cga_member_place place);

/** Release the barrier of a CGA if all its running CTAs wait there: the CTA that ended may have been the last one
 * that had not arrived.
 * @param number  Number of the CGA's record. */
void cga_barrier_check(uint32_t number);

/** Interrupt the SMs of which CTAs were released. */
void cga_barrier_ring(void);

#endif /* FIRMWARE_CP_CGA_CGA_BARRIER_H */
