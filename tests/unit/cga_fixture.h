/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * For tests of CGA placement: SMs with chosen free slots and groups. A CTA needs one unit and one warp,
 * so the free slots of an SM are its free CTA slots, 0 to 8.
 */
#ifndef TESTS_UNIT_CGA_FIXTURE_H
#define TESTS_UNIT_CGA_FIXTURE_H

#include <stdint.h>

#include "firmware/cp/cga/cga_place.h"

#define FIXTURE_SLOTS 8u /* free slots of an idle SM */

/* Needs of a CTA. */
extern const struct task_needs fixture_needs;

/* A device of idle SMs, grouped as at boot. */
void fixture_init(uint32_t sms);

/* CTAs come or end, until an SM has so many free slots. */
void fixture_free(uint32_t sm, uint32_t slots);

/* The same for SMs 0, 1, 2 …. */
void fixture_free_all(const uint32_t *slots, uint32_t sms);

/* Put an SM into a GPC, a CPC, a TPC; fixture_grouped() when all are. */
void fixture_group(uint32_t sm, uint32_t gpc, uint32_t cpc, uint32_t tpc);
void fixture_grouped(void);

/* GPC `gpc` is the next `sms` SMs; begins at SM 0 with GPC 0. Each SM is a TPC. */
void fixture_gpcs(const uint32_t *sms, uint32_t gpcs);

/* A random order of the SMs as ranks, or the order by number. */
void fixture_ranks(uint32_t sms, bool random);

/* Free slots of an SM in the live model. */
uint32_t fixture_slots(uint32_t sm);

/* CTAs that the last CGA gives each SM; checks what holds of any reservation. */
void fixture_tally(const struct cga_shape *shape, uint32_t *ctas, uint32_t sms);

/* Launch the last CGA: take its CTAs from the live model. */
void fixture_commit(void);

/* A shape of one level. */
struct cga_shape fixture_shape(enum gg_domain domain, uint32_t ctas, bool spread);

/* A random number, 0 to below `limit`. */
uint32_t fixture_random(uint32_t limit);

#endif /* TESTS_UNIT_CGA_FIXTURE_H */
