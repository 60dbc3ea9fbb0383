/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Cancel, suspend and resume: of a task, or of a channel.
 *
 * A suspended channel is not read; its tasks go on. Cancelling a channel cancels all tasks that it had
 * submitted, a bounded number in each turn of the loop.
 */
#ifndef FIRMWARE_CP_HOST_CONTROL_H
#define FIRMWARE_CP_HOST_CONTROL_H

#include <stdbool.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/task/task.h"

/** Forget what is under way. */
void control_init(void);

/** Do what a CANCEL, SUSPEND or RESUME command says.
 * @param[out] refusal  Why not, if not.
 * @return              Whether the answer is to be sent now; else it follows. */
bool control_invoke(const struct gg_command *command, const struct command_source *source,
		    struct refusal *refusal);

/** Go on with the cancelling of a channel.
 * @return  Whether more is to be done. */
bool control_run(void);

/** Whether the answer of a cancelled channel waits for room. */
bool control_waits(void);

#endif /* FIRMWARE_CP_HOST_CONTROL_H */
