/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A control processor and units that pull work, all of them fibers, and the record of what was done.
 *
 * world_case() makes a case from its seed: tasks of random sets, units of random speeds, near and in
 * far groups, some of which die at a random step. The CP places the tasks in a few slots, counts who
 * came back with nothing, frees entries, suspends a task now and then, and places what dead units left
 * undone once more. At the end each task's finished ranges must be its items, each once.
 */
#ifndef TESTS_UNIT_PULL_WORLD_H
#define TESTS_UNIT_PULL_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/pull/local_queue.h"
#include "firmware/pull/nd_range.h"
#include "firmware/pull/work_queue.h"
#include "tests/unit/pull_fibers.h"

#define WORLD_UNITS  64u
#define WORLD_SLOTS  3u
#define WORLD_GROUPS 3u /**< 0: near units; others are far. */
#define WORLD_TASKS  4u
#define WORLD_RANGES 65536u /**< Finished ranges of a task. */
#define WORLD_PIECES 512u   /**< Ranges that wait for a slot. */

/** Items in succession. */
struct world_range {
	uint64_t first, items;
};

/** A task. */
struct world_task {
	struct nd_range range;
	uint64_t items, sum; /**< All; finished. */
	struct chunk_policy policy;
	uint32_t approved[WORK_SM_WORDS];
	struct world_range *finished;    /**< WORLD_RANGES of them. */
	uint32_t finished_count, pieces; /**< pieces: waiting or in slots. */
	bool suspend;                    /**< Stop it once, and go on with the rest. */
};

/** A part of a task that waits for a slot. */
struct world_piece {
	uint32_t task;
	struct world_range range;
};

/** All of it. */
struct world {
	struct work_entry entry[WORLD_SLOTS];
	struct local_queue local[WORLD_GROUPS][WORLD_SLOTS];
	struct work_seen seen[WORLD_SLOTS];
	uint32_t slot_task[WORLD_SLOTS], slot_id[WORLD_SLOTS], generation;
	struct world_task tasks[WORLD_TASKS];
	uint32_t tasks_count, over;
	struct world_piece pieces[WORLD_PIECES];
	uint32_t pieces_count;
	uint32_t units, unit[WORLD_UNITS], group_of[WORLD_UNITS],
		group[WORLD_GROUPS][WORK_SM_WORDS];
	uint32_t told[WORLD_UNITS][WORLD_SLOTS]; /**< Id of the entry that it last found empty. */
	struct chunk_history history[WORLD_UNITS][WORLD_SLOTS];
	uint32_t history_id[WORLD_UNITS][WORLD_SLOTS];
	bool buried[WORLD_UNITS]; /**< The CP knows that it is dead. */
	uint32_t mail[WORLD_SLOTS]
		     [WORLD_UNITS]; /**< Id of the entry that a unit came back from with nothing. */
	bool any_mail;
	uint32_t waits, threshold, opened, deaths, grants, portions;
	bool done;
	const char *broken; /**< What was found to be wrong. */
};

extern struct world world;

/** Run a case.
 * @return  NULL, or what went wrong. */
const char *world_case(uint64_t seed);

/** The bodies of the fibers. The last fiber is the CP. */
void world_unit(uint32_t fiber);
void world_cp(void);

/** Note what is wrong. */
void world_check(bool right, const char *text);

/** Ranges of a task that are not finished, sorted; also finds what was done twice.
 * @param[out] missing  At most `most`.
 * @return              Their number. */
uint32_t world_missing(struct world_task *task, struct world_range *missing, uint32_t most);

#endif /* TESTS_UNIT_PULL_WORLD_H */
