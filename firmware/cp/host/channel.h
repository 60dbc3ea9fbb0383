/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Channels: rings of commands that the host writes (S0-R14), and the fences on them.
 *
 * A fence closes the open *interval* of its channel and opens the next; each task counts in the interval in which
 * it was accepted. A fence is over when its interval and all earlier ones have no tasks left. So it costs two
 * updates of a count for each task, and a fence that waits does not hold up the commands behind it.
 */
#ifndef FIRMWARE_CP_HOST_CHANNEL_H
#define FIRMWARE_CP_HOST_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task/task.h"

/** Initialize: all channels are open and empty. */
void channel_init(void);

/** Notice for which channels a host has rung. Called before the functions below.
 * @return  Whether there is a channel that was rung for and that has not been looked at since, or that may have
 *          commands still. */
bool channel_listen(void);

/** Choose the channel to read next: of those with commands, one of the highest priority; channels of equal
 * priority take turns. A channel whose put word is out of range is refused until the host resets it.
 * @param skip       Bit c: leave out channel c.
 * @param[out] more  Whether another channel has commands, too.
 * @return           Channel, or CP_CHANNELS for none. */
uint32_t channel_choose(uint32_t skip, bool *more);

/** Commands of a channel, as channel_alone() has found them. */
struct channel_run {
	uint32_t number;               /**< Of the channel. */
	uint32_t count;                /**< Commands that are there. */
	struct channel *channel;       /**< The control processor's state of it. */
	struct gg_channel *words;      /**< Its words in the map. */
	const struct gg_command *ring; /**< Its ring. */
};

/** Find out whether exactly one channel has news, and that is commands that may be taken. channel_listen() was true.
 * @param[out] run  The commands, at least 1.
 * @return          false: there is something else, or nothing; `run` means nothing. */
bool channel_alone(struct channel_run *run);

/** The next but `number` command of a run. */
const struct gg_command *channel_run_command(const struct channel_run *run, uint32_t number);

/** Remove the next commands of a run, as channel_advance() does, and count them as accepted.
 * @param count  At most as many as the run has. */
void channel_run_taken(const struct channel_run *run, uint32_t count);

/** Count an accepted task of a run in the open interval of its channel, as channel_task_accepted() does. */
void channel_run_accepted(const struct channel_run *run, struct task *task);

/** Refuse all channels after a restart, since nobody knows which of their commands were carried out: each is read again when its
 * host has reset it. */
void channel_refuse_all(void);

/** Stop reading a channel (true), or read it again (false). */
void channel_suspend(uint32_t channel, bool suspended);

/** Whether a channel is not suspended and had commands at the last channel_choose(). */
bool channel_has_command(uint32_t channel);

/** A copy of the next command; channel_has_command() must be true. */
struct gg_command channel_peek(uint32_t channel);

/** Remove the next command from the ring: the host may overwrite it. */
void channel_advance(uint32_t channel);

/** Count an accepted task in the open interval of its channel. */
void channel_task_accepted(struct task *task);

/** Whether a channel can have one more fence in flight; at most CP_FENCES. */
bool channel_can_fence(uint32_t channel);

/** Close the open interval of a channel with an accepted fence. */
void channel_fence_accepted(struct task *fence);

/** The completion of a task was posted: take it off its interval's count. Fences that waited only for it are over. */
void channel_task_finished(const struct task *task);

#endif /* FIRMWARE_CP_HOST_CHANNEL_H */
