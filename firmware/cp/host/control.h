/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The commands CANCEL, SUSPEND and RESUME, for a task or a channel.
 *
 * A suspended channel is not read; its tasks go on. Cancelling a channel cancels all tasks that were submitted
 * through it, a bounded number in each turn of the loop.
 */
#ifndef FIRMWARE_CP_HOST_CONTROL_H
#define FIRMWARE_CP_HOST_CONTROL_H

#include <stdbool.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/task/task.h"

/** Initialize: no cancellation of a channel is under way. */
void control_init(void);

/** Carry out a CANCEL, SUSPEND or RESUME command.
 * @param[out] refusal  GG_OK; or the status, field and value of the refusal.
 * @return              true: the answer is to be sent now; false: it follows later. */
bool control_invoke(const struct gg_command *command, const struct command_source *source,
		    struct refusal *refusal);

/** Continue the cancellation of a channel, for at most CP_SWEEP tasks.
 * @return  Whether more can be done in the next turn. */
bool control_run(void);

/** Whether a cancellation of a channel is under way, which may wait for room for its answer. */
bool control_waits(void);

#endif /* FIRMWARE_CP_HOST_CONTROL_H */
