/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Commands: how each opcode is decoded, and what it does. One table describes them all.
 */
#ifndef FIRMWARE_CP_HOST_COMMAND_H
#define FIRMWARE_CP_HOST_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/task/task.h"

/** A command and where it came from. */
struct host_command {
	struct gg_command command;    /**< As the host wrote it. */
	struct command_source source; /**< Whence. */
};

/** Check a command whole, without an effect.
 * @return  GG_OK, or why it is refused. */
struct refusal command_decode(const struct host_command *request);

/** Do what a command says that command_decode() has accepted. There is room for a task, and for an answer.
 * @param[out] answer  All zero; what to answer.
 * @return             Whether the answer is to be sent now; else a completion follows. */
bool command_invoke(const struct host_command *request, struct refusal *answer);

#endif /* FIRMWARE_CP_HOST_COMMAND_H */
