/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Host commands: checks them and carries them out. One table has a row for each opcode.
 */
#ifndef FIRMWARE_CP_HOST_COMMAND_H
#define FIRMWARE_CP_HOST_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/task/task.h"

/** A host command. */
struct host_command {
	struct gg_command command;    /**< As the host wrote it. */
	struct command_source source; /**< Where it came from, for its completion. */
};

/** Check a host command completely, without any effect.
 * @return  GG_OK; or the status, field and value of the refusal. */
struct refusal command_decode(const struct host_command *request);

/** Carry out a host command that command_decode() has accepted. The task pool has room for a task if it needs one,
 * and the completion ring for an answer.
 * @param[in,out] answer  All zero before the call; the answer.
 * @return                true: the answer is to be sent now; false: a completion follows later. */
bool command_invoke(const struct host_command *request, struct refusal *answer);

#endif /* FIRMWARE_CP_HOST_COMMAND_H */
