/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Completions to the host: exactly one for every command (S0-R15, architecture of the mailbox).
 *
 * Tasks that are over wait here, in order, until the ring has room; their place in the pool holds
 * what is to be told, so nothing is lost and nothing needs memory of its own. Owns the completion
 * ring and the interrupt to the host.
 */
#ifndef FIRMWARE_CP_FINISH_COMPLETION_H
#define FIRMWARE_CP_FINISH_COMPLETION_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** Where a command came from, for its completion. */
struct command_source {
	uint32_t tag;    /**< Its tag. */
	uint8_t channel; /**< Its channel. */
	uint8_t opcode;  /**< Its opcode. */
	bool quiet;      /**< No interrupt for its completion. */
};

/** Forget everything. */
void completion_init(void);

/** A task, or a fence, is over: the host is to be told. */
void completion_add(struct task *task);

/** Whether a command may be taken: no completion waits, and the ring has room for one. */
bool completion_has_room(void);

/** Answer a command that is no task at once; completion_has_room() was true. */
void completion_answer(const struct command_source *source, const struct refusal *answer);

/** Post the completion that waits first, if the ring has room.
 * @return  Its task, whose place in the pool is the caller's from now on; NULL when nothing was posted. */
struct task *completion_take(void);

/** Interrupt the host if what was posted since the last time wants its attention. */
void completion_interrupt(void);

/** Whether completions wait for room. */
bool completion_waits(void);

#endif /* FIRMWARE_CP_FINISH_COMPLETION_H */
