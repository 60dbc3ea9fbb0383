/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Short cuts for tests of CGAs on the fake device: TMDs, SMs that are partly in use, members, barriers, and what
 * must hold of CGAs at any time.
 */
#ifndef TESTS_UNIT_FAKE_CGA_H
#define TESTS_UNIT_FAKE_CGA_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

#define FAKE_PLAIN 0xf0000u /* tag of the task of fake_fill() */

/* A grid of CGAs, each of `ctas` CTAs in a domain; priority 5. */
struct gg_tmd fake_cga(enum gg_domain domain, uint32_t cgas, uint32_t ctas);

/* Make each CGA one of `parts` such in a larger domain, once or twice; the grid grows as much. */
struct gg_tmd fake_cga_outer(struct gg_tmd tmd, enum gg_domain domain, uint32_t parts);

/* A plain task takes all CTA slots of a device. */
void fake_fill(void);

/* Of a task, CTAs on an SM end; it has as many there. */
void fake_end_some(uint32_t tag, uint32_t sm, uint32_t ctas);

/* The same, of the task of fake_fill(). */
void fake_free(uint32_t sm, uint32_t ctas);

/* The entry of a CTA in the SMs' hands. */
struct gg_member *fake_member(uint32_t index);

/* A CTA of a task, by its launch position: its index; there is one. */
uint32_t fake_at_position(uint32_t tag, uint64_t position);

/* The CTA at a launch position comes to the barrier of a level; the CP goes on. */
void fake_come(uint32_t tag, uint64_t position, uint32_t level);

/* Whether it waits there. */
bool fake_waits(uint32_t tag, uint64_t position, uint32_t level);

/* The CTA at a launch position ends; the CP goes on. */
void fake_end_position(uint32_t tag, uint64_t position, enum gg_status status);

/* What must hold now that all packets are taken: no unit of an SM is given twice; members form circles of whole CGAs,
 * in their domain; ids are unique in their pools. The SMs take all packets. */
void fake_cga_check(void);

/* Nothing of any CGA is left: records, ids, units, slots. */
void fake_cga_expect_none(void);

#endif /* TESTS_UNIT_FAKE_CGA_H */
