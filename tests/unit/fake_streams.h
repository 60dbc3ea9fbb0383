/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * SMs that run streams of one PULL grid, for tests of firmware/sm/pull: the blocks that SMs and CP
 * share, a scheduler that runs one CTA of an SM at a time, and the CP's part in a few words.
 */
#ifndef TESTS_UNIT_FAKE_STREAMS_H
#define TESTS_UNIT_FAKE_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/pull/local_queue.h"
#include "firmware/pull/work_queue.h"
#include "firmware/sm/pull/hand.h"
#include "firmware/sm/pull/pull.h"
#include "firmware/sm/pull/run.h"
#include "firmware/sm/report.h"

#define STREAMS_SMS   8u
#define STREAMS_SLOT  3u
#define STREAMS_NAME  (STREAMS_SLOT | 7u << 16)
#define STREAMS_ITEMS 4096u /* most items of a test */
#define STREAMS_RING  8u    /* entries of the report ring */

/* What a test looks at. */
struct streams {
	struct gg_tmd tmd; /* a PULL grid of 16 x 16 x ... */
	struct sm sm[STREAMS_SMS];
	struct work_seen seen;
	uint64_t clock;              /* timer_now() */
	uint8_t runs[STREAMS_ITEMS]; /* times that each item was done */
	uint32_t get[STREAMS_SMS];   /* reports read */
	uint32_t bells;              /* interrupts of the CP */
	uint32_t outside;            /* items that are not of the grid */
	bool goes_on;                /* the kernel goes on to the next CTA of a run by itself */
};
extern struct streams streams;

/* SMs without streams; GPC 0 has the SMs below `near`, GPC 1 the others, which are far. */
void streams_init(uint32_t near);

/* The grid lies along x: its CTAs have runs. */
void streams_flat(void);

/* The task is assigned to an SM. */
void streams_prime(uint32_t sm);

/* Place and open the entry, with local queues of far SMs; all SMs are approved.
 * fixed: CTAs of a chunk, 0: adaptive. */
void streams_place(uint64_t first, uint64_t items, uint32_t fixed);

/* The blocks. */
struct work_entry *streams_entry(void);
struct local_queue *streams_local(void);
struct gg_pull *streams_block(uint32_t sm);

/* Approve an SM, or recall it. */
void streams_approve(uint32_t sm, bool approved);

/* A packet arrives. */
void streams_send(uint32_t sm, uint32_t starts, uint64_t first, uint32_t items, bool more);

/* Give a stream of an SM its next item, or end it. Returns whether it has one. */
bool streams_begin(uint32_t sm, uint32_t unit);

/* The kernel of a stream has gone on to the CTA that comes as many later in its run, and is interrupted. */
void streams_trap(uint32_t sm, uint32_t unit, uint32_t passed);

/* The CTA of a stream ends, and its run with it if the kernel goes on by itself: well, or with an error. */
void streams_end(uint32_t sm, uint32_t unit, int32_t status);

/* Run a CTA of each stream in turn until all have ended. Returns the CTAs. */
uint32_t streams_run(uint32_t sm);

/* The next report of an SM; NULL when there is none. It counts as read. */
const struct gg_report *streams_report(uint32_t sm);

/* The hand of an SM. */
const struct hand *streams_hand(uint32_t sm);

/* Each of these items was done once, and no other item. */
void streams_expect_runs(uint64_t first, uint64_t items);

/* Items that an SM has not completed, as its block says: sorted, each once. Returns their number. */
uint32_t streams_uncompleted(uint32_t sm, uint32_t starts, uint64_t *items);

#endif /* TESTS_UNIT_FAKE_STREAMS_H */
