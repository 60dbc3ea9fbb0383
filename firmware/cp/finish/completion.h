/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Completions: the host gets exactly one for every command. Owns the completion ring and the interrupt to the host.
 *
 * A task ends without any action of the host (S0-R15): its completion waits here, in order, until the ring has room.
 * The task keeps its place in the task pool until then, so that no completion is lost or needs memory of its own.
 */
#ifndef FIRMWARE_CP_FINISH_COMPLETION_H
#define FIRMWARE_CP_FINISH_COMPLETION_H

#include <stdbool.h>

#include "firmware/cp/task/task.h"

/** What a completion says about its command. */
struct command_source {
	uint32_t tag;    /**< Tag that the host chose. */
	uint8_t channel; /**< Channel, less than CP_CHANNELS. */
	uint8_t opcode;  /**< enum gg_opcode. */
	bool quiet;      /**< The completion needs no interrupt. */
};

/** Initialize: the ring is empty and no completion waits. */
void completion_init(void);

/** Queue the completion of a task or a fence that is over. */
void completion_add(struct task *task);

/** Whether a command may be taken: no completion waits, and the ring has room for one more. */
bool completion_has_room(void);

/** Whether no completion waits, and the ring has room for one for each slot of the task table, and for as many
 * commands. */
bool completion_has_much_room(void);

/** Post the completion of a command that is not a task, or was refused; completion_has_room() must be true. */
void completion_answer(const struct command_source *source, const struct refusal *answer);

/** The same of a command that is well; completion_has_much_room() was true at the beginning of this turn. */
void completion_post_done(const struct command_source *source);

/** Post the completion that has waited longest, if the ring has room.
 * @return  Its task, which the caller has to give back to the pool; NULL: nothing was posted. */
struct task *completion_take(void);

/** Post the completion of a task; completion_has_room() must be true. The caller gives the task back to the pool. */
void completion_post(const struct task *task);

/** Post the completion of a plain task that has ended well and was never kept back; completion_has_much_room() was true at
 * the beginning of this turn. Each SM that ran CTAs of it got one packet. The device is not traced. */
void completion_post_plain(const struct task *task);

/** Interrupt the host if a completion that was posted since the last call asks for it. */
void completion_interrupt(void);

/** Whether completions wait to be posted. */
bool completion_waits(void);

#endif /* FIRMWARE_CP_FINISH_COMPLETION_H */
