/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Barriers of CGAs, one for each level (S1-R135…R137, S1-Q20). A CTA that comes to one changes its bit of
 * its SM's `come` word; when all CTAs of the CGA that have not ended have come, the CP makes their bits of `go`
 * equal to that. So a barrier can be used any number of times, and each word has one writer.
 *
 * A barrier counts from the launch on: CTAs that have not started yet have not come, so nobody passes it before
 * all members are in place. When one has failed or was stopped, so are all others soon: those who wait for it
 * stay where they are, and do not go on as if it had come.
 */
#ifndef FIRMWARE_CP_CGA_CGA_BARRIER_H
#define FIRMWARE_CP_CGA_CGA_BARRIER_H

#include <stdint.h>

#include "firmware/cp/cga/cga_record.h"

/** Nobody waits at a barrier. */
void cga_barrier_init(void);

/** Look at which CTAs of an SM have come to a barrier. */
void cga_barrier_hear(uint32_t sm);

/** A CTA has ended: it is not waited for any more; the counts of its CGAs' running CTAs still have it. */
void cga_barrier_leave(struct cga_member_place place);

/** A CTA of a CGA has ended, others have not: those may have waited for it only.
 * @param number  The CGA's record. */
void cga_barrier_check(uint32_t number);

/** Interrupt the SMs whose CTAs may go on. */
void cga_barrier_ring(void);

#endif /* FIRMWARE_CP_CGA_CGA_BARRIER_H */
