/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * SMs of the fake device that run PULL grids: they take chunks by the functions that real SMs take them with.
 */
#ifndef TESTS_UNIT_FAKE_PULL_H
#define TESTS_UNIT_FAKE_PULL_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/limits.h"

#define FAKE_MARKS (1u << 24) /* items that are marked */
#define FAKE_SMALL 4096u      /* fake_by_tag: items of a grid, less one, at most */

/* What an SM has of a slot's task. */
struct fake_hand {
	uint32_t task;        /* packet.task */
	uint32_t streams;     /* not ended */
	uint32_t busy;        /* of them, those that run a CTA */
	uint32_t ended;       /* ended, not reported */
	uint32_t ctas;        /* done, not reported */
	uint64_t next;        /* first item of what is left in hand */
	uint64_t left;        /* items */
	uint32_t more;        /* streams that may take more */
	uint64_t running[32]; /* by unit: item */
};
extern struct fake_hand fake_hands[CP_SMS][CP_SLOTS];

extern uint32_t fake_packets;          /* of PULL grids */
extern uint32_t fake_reports;          /* of them */
extern uint64_t fake_items;            /* items done */
extern uint8_t fake_marks[FAKE_MARKS]; /* by item: how often it was done */
extern bool fake_by_tag;               /* by tag modulo FAKE_SMALL and item, instead */

/* A device of so many SMs, with or without atomics. */
void fake_pull_init(uint32_t sms, bool atomics);

/* One whose SMs can be sent waves, and take items themselves. */
void fake_pull_init_waves(uint32_t sms);

/* A TMD of a PULL grid. */
struct gg_tmd fake_pull_grid(uint32_t ctas, uint32_t chunk);

/* An SM goes on by one step: all its idle streams begin a CTA, or end. True if it has streams. */
bool fake_pull_begin(uint32_t sm);

/* SMs take their packets, and each goes on by one step. */
void fake_pull_begin_all(void);

/* The CTAs that an SM runs are done; at most so many. What ended is reported. */
void fake_pull_done(uint32_t sm, uint32_t ctas);

/* Streams of a slot's task on an SM. */
uint32_t fake_streams(uint32_t sm, uint32_t slot);

/* Everything runs to its end, push CTAs too. */
void fake_pull_finish(void);

/* An SM stops, with all that it has. The CP is told. */
void fake_pull_lose(uint32_t sm);

/* The items of a tag, each once; with fake_by_tag. */
void fake_pull_expect_tag(uint32_t tag, uint32_t items);

/* The first `items` items have been done once each. Forgets them. */
void fake_pull_expect_once(uint64_t items);

/* No completion, task, PULL grid, CTA, range, entry or local queue is left. */
void fake_pull_expect_nothing_left(void);

#endif /* TESTS_UNIT_FAKE_PULL_H */
