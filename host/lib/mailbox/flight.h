/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The tasks on their way, found by tag: a hash table that grows with them. The owner holds a lock.
 */
#ifndef HOST_LIB_MAILBOX_FLIGHT_H
#define HOST_LIB_MAILBOX_FLIGHT_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

struct task;

/** Tasks whose tags have the same low bits. */
struct chain {
	struct task *first; /**< Linked by `next`. */
};

/** The table. All zero is an empty one. */
struct flight {
	struct chain *at;
	uint32_t chains; /**< A power of two, or 0. */
	uint32_t count;  /**< Tasks. */
};

/** Adds a task by its tag, which no other has. @return GG_ERR_NO_MEMORY. */
enum gg_status flight_add(struct flight *flight, struct task *task);

/** Takes a task out, if it is there. */
void flight_remove(struct flight *flight, const struct task *task);

/** The task with a tag, or NULL. */
struct task *flight_find(const struct flight *flight, uint32_t tag);

/** Frees the table, which must be empty. */
void flight_clear(struct flight *flight);

#endif /* HOST_LIB_MAILBOX_FLIGHT_H */
