/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Host interface: takes host commands from the channels (pushbuffers), and posts completions.
 *
 * Channels are read in order of their priority (S0-R14), a bounded number of commands in each turn of the loop, so
 * that scheduling goes on while the host writes. A command is checked completely before it has any effect, and has
 * exactly one completion.
 */
#ifndef FIRMWARE_CP_HOST_HOST_INTERFACE_H
#define FIRMWARE_CP_HOST_HOST_INTERFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/host/channel.h"

/** Commands that one turn takes: the first of those that a channel has. */
struct host_batch {
	struct channel_run run; /**< All that the channel has. */
	uint32_t count;         /**< Commands of the batch. */
};

/** Initialize: all channels are open and empty. */
void host_interface_init(void);

/** Take commands from one channel, at most a batch.
 * @return  Whether more can be taken in the next turn. */
bool host_interface_run(void);

/** Whether the host has not rung, and nothing of it waits. */
bool host_interface_is_quiet(void);

/** Find out whether the host has rung, and whether what it rang for is a batch of commands that
 * host_interface_run() would take in one turn: SUBMITs of one channel without options, with TMDs whose priority does
 * not rise. A NOP that is alone is taken and answered at once: the caller knows that there is much room for completions.
 * @param[out] batch  The batch; empty when the host has not rung, or only for a NOP.
 * @return            false: there is something else, too. */
bool host_interface_plain(struct host_batch *batch);

/** Take commands of a batch.
 * @param count  How many, from the first; at least 1. */
void host_interface_take(const struct host_batch *batch, uint32_t count);

/** Post the completions that wait, as far as the ring has room, and interrupt the host if one of them asks for it.
 * @return  Whether any was posted, so that there may be room for commands. */
bool host_interface_post(void);

/** Whether there are commands that were not taken, for instance because a batch has only so many, or the task pool or the
 * completion ring is full. */
bool host_interface_waits(void);

#endif /* FIRMWARE_CP_HOST_HOST_INTERFACE_H */
