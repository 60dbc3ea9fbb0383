/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * SMs with the CTAs of one CGA, for tests of what an SM does for its members: their entries as the control
 * processor writes them, and the calls into the rest of the runtime counted, not made.
 */
#ifndef TESTS_UNIT_FAKE_MEMBERS_H
#define TESTS_UNIT_FAKE_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/sm/sm.h"

#define MEMBERS_SMS   5u
#define MEMBERS_UNITS 0x80000000u /* address of the units of SM 0 */
#define MEMBERS_UNIT  4096u       /* from one unit to the next */
#define MEMBERS_MOST  96u         /* members of a CGA */

/* What a test looks at. */
struct members {
	struct gg_tmd tmd;            /* of the only task; clusters along x */
	struct sm sm[MEMBERS_SMS];    /* all see the same blocks */
	uint32_t count;               /* members of the CGA, by rank: */
	uint32_t place[MEMBERS_MOST]; /* as in member.next */
	uint32_t bells;               /* calls of bell_note() */
	uint32_t calls[MEMBERS_SMS];  /* interrupts by other SMs */
	uint32_t yields;              /* calls of schedule_yield() */
	uint32_t loads;               /* calls of protection_load() */
	uint32_t moves;               /* calls of protection_move() */
	uint32_t entries;             /* of the table that is in place */
	uintptr_t base;               /* where its first region is */
	uintptr_t bytes;              /* size of that */
};
extern struct members members;

/* SMs without CTAs, and a task of CGAs of `count` CTAs that take `units` units each. */
void members_init(uint32_t count, uint32_t units, uint32_t shared_bytes);

/* Put the member of a rank to a unit of an SM, as a packet would; the rest of the CGA must follow. */
void members_arrive(uint32_t rank, uint32_t sm, uint32_t unit, uint32_t sequence);

/* The same, and it starts. */
void members_put(uint32_t rank, uint32_t sm, uint32_t unit, uint32_t sequence);

/* Link all members by rank. */
void members_link(void);

/* A CGA (sequence number 7) of CTAs of one unit, one beside the other from unit 0 of SM 0 on, eight on an SM. */
void members_line_up(uint32_t count, uint32_t shared_bytes);

/* Its SMs count who comes to its barrier, as SMs with A do. Before members are put; rank 0 is at unit 0 of SM 0. */
void members_count(uint32_t count);

/* PERF.cga_barriers. */
uint32_t members_barriers(void);

/* SM and CTA of a member. */
struct sm *members_sm(uint32_t rank);
struct sm_cta *members_cta(uint32_t rank);

/* Block of an SM, and its entry of a unit. */
struct gg_cluster *members_block(uint32_t sm);
struct gg_member *members_entry(uint32_t sm, uint32_t unit);

/* Shared memory of a member. */
uintptr_t members_shared(uint32_t rank);

#endif /* TESTS_UNIT_FAKE_MEMBERS_H */
