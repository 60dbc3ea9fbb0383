/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The global work queue: entries from which SMs take chunks of items themselves (S4-R9,
 * R16, R18…R22, R42…R52, R103, R112…R116).
 *
 * An entry is written by the control processor (CP) while it is free, then opened. From then on one
 * word changes: `wir`, the granules that remain, from which each SM subtracts what it wants with
 * one atomic addition; the value before says which items these are (R103). So no SM waits for
 * another one, and no item is granted twice (V8).
 *
 * An SM subtracts only after it has seen a positive value, and is granted the smaller of the value
 * before and its wish (Q3). So wir never falls below -(SMs * CHUNK_MOST) (R113), and 2^30
 * granules are the most that an entry can have; larger sets have larger granules.
 *
 * An entry ends when each approved SM has come back with nothing (R49): the CP keeps a bitmap of
 * who has (Q2), outside of the entry. An SM asks again only after it has finished its chunk (R48),
 * so then all items are done (R116). An SM that the CP has stopped counts as one that came back
 * (Q5): it must not run any more, since the entry is used again.
 */
#ifndef FIRMWARE_PULL_WORK_QUEUE_H
#define FIRMWARE_PULL_WORK_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/pull/chunk.h"

#define WORK_ENTRIES       32u               /**< Entries: one for each slot of the task table. */
#define WORK_SMS           512u              /**< Most SMs. */
#define WORK_SM_WORDS      (WORK_SMS / 32u)  /**< Words of a bitmap of SMs. */
#define WORK_GRANULES_MOST ((1u << 30) - 1u) /**< Granules of an entry, at most. */

/** States of an entry (S4-R21). */
enum work_state {
	WORK_FREE = 0,    /**< No task; zero memory is a free entry. */
	WORK_PLACED = 1,  /**< Written, not yet open. */
	WORK_OPEN = 2,    /**< SMs take from it. */
	WORK_STOPPED = 3, /**< Nothing more is granted; SMs come back with nothing. */
};

/** What became of a request. */
enum work_result {
	WORK_GRANTED = 0,      /**< There is a grant. */
	WORK_EMPTY = 1,        /**< Nothing is left: the SM has finished with the entry. */
	WORK_NOT_APPROVED = 2, /**< The SM may not take from the entry, or the entry is not open. */
	WORK_WAIT = 3,         /**< Local queue: another SM is fetching. */
};

/** A set as SMs need to know it. Writer: CP, before the entry is open. Words of 32 bits. */
struct work_plan {
	uint32_t id;         /**< Slot and generation << 16 of the task (S4-C5, Q14). */
	uint32_t first_low;  /**< Position of the first item of this entry. */
	uint32_t first_high; /**< Its upper half. */
	uint32_t items_low;  /**< Items of this entry. */
	uint32_t items_high; /**< Its upper half. */
	uint32_t granules;   /**< In all: items >> shift, rounded up; 1 … WORK_GRANULES_MOST. */
	uint32_t shift;      /**< A granule is 2^shift items; the last may be short. */
	uint32_t sms;        /**< Approved SMs, at least 1. */
	uint32_t
		groups; /**< Number of those that share what remains: far groups, and one for all near SMs. */
	struct chunk_policy policy; /**< Settled, in granules. */
};

/** An entry; aligned to 64 bytes. What a request reads is one cache line, and the bitmap. */
struct work_entry {
	/** Granules that remain, signed. Writers: all SMs, by atomic_add; CP before it is open. */
	uint32_t wir;
	uint32_t state;        /**< enum work_state. Writer: CP. */
	struct work_plan plan; /**< Writer: CP. */
	/** Bit of each SM that may take (R22). Writer: CP. */
	uint32_t approved[WORK_SM_WORDS];
};

/** What the CP places. */
struct work_order {
	uint32_t id;     /**< Slot and generation << 16. */
	uint64_t first;  /**< Position of the first item: 0, or where to go on. */
	uint64_t items;  /**< From there, at least 1. */
	uint32_t groups; /**< Far groups, and one for near SMs if there are any: at least 1. */
	struct chunk_policy policy; /**< In items, not settled. */
	const uint32_t *approved;   /**< The SMs that may take from it, a bit each. */
	uint32_t words;             /**< Words of `approved`: as many as the device's SMs take. */
};

/** A chunk that belongs to an SM (S4-R103, C9). */
struct work_grant {
	uint32_t id;     /**< Of the task. */
	uint32_t before; /**< Granules that remained before, in the entry or in the local queue. */
	uint32_t granules; /**< Taken. */
	uint64_t first;    /**< Position of the first item. */
	uint64_t items;    /**< 1 or more. */
	/** local_take(): whether this call took a portion from the entry. */
	bool fetched;
};

/** Which SMs have come back with nothing. Private to the CP (S4-R49, Q1, Q2). */
struct work_seen {
	uint32_t missing[WORK_SM_WORDS]; /**< Approved SMs that have not come back yet. */
	uint32_t left;                   /**< How many. */
};

/** Write a free entry (S4-R39, R95). The local queues of far groups are opened next, with its plan,
 * then the entry itself. CP only.
 * @param[out] seen  Of this entry.
 * @return  GG_ERR_BUSY: the entry is not free (S4-V11); GG_ERR_GRID_ZERO: no items;
 *          GG_ERR_GRID_OVERFLOW: 2^63 items or more, or positions beyond that; GG_ERR_AFFINITY: no
 *          SM (Q4); GG_ERR_ARGUMENT: see chunk_settle(). Changes nothing then. */
__attribute__((warn_unused_result)) enum gg_status
work_place(struct work_entry *entry, const struct work_order *order, struct work_seen *seen);

/** Open an entry that was placed: SMs may take from now on. CP only. */
void work_open(struct work_entry *entry);

/** Whether an SM may take from an entry (S4-R42). */
bool work_approved(const struct work_entry *entry, uint32_t sm);

/** Granules that remain, 0 when there are none; SMs may take from them meanwhile. */
uint32_t work_remaining(const struct work_entry *entry);

/** Take a chunk (S4-R45…R47). Far SMs may use this, too.
 * @param sm          Below WORK_SMS.
 * @param want        Granules, 1 … CHUNK_MOST.
 * @param[out] grant  Written when granted.
 * @return            WORK_GRANTED, WORK_EMPTY or WORK_NOT_APPROVED. */
enum work_result work_take(struct work_entry *entry, uint32_t sm, uint32_t want,
			   struct work_grant *grant);

/** Take a chunk of the size that the entry's policy has for this SM.
 * @param wish     Granules; 0: anything.
 * @param history  Of this SM and entry; NULL: unknown. */
enum work_result work_pull(struct work_entry *entry, uint32_t sm, uint32_t wish,
			   const struct chunk_history *history, struct work_grant *grant);

/** The items of a run of granules.
 * @param first     Granule, below plan->granules.
 * @param[out] grant  id, granules, first and items; not `before`. */
void work_locate(const struct work_plan *plan, uint32_t first, uint32_t granules,
		 struct work_grant *grant);

/** Grant nothing more: a task is cancelled or suspended. The entry ends as always. CP only. */
void work_stop(struct work_entry *entry);

/** Items that no SM took, after a stop, when all have come back. CP only.
 * @param[out] first  Position of the first of them; written when there are any.
 * @return            Their number. They are the last ones of the entry. */
uint64_t work_rest(const struct work_entry *entry, uint64_t *first);

/** Count an SM that came back with nothing, or was stopped; each counts once. CP only.
 * @return  Whether all have: the entry may be freed (S4-R49, R50, V2). */
bool work_mark(struct work_seen *seen, uint32_t sm);

/** Free an entry (S4-R92, R115). CP only.
 * @return  false when not all SMs have come back; nothing was changed. */
bool work_free(struct work_entry *entry, const struct work_seen *seen);

#endif /* FIRMWARE_PULL_WORK_QUEUE_H */
