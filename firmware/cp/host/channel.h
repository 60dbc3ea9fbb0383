/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Channels: rings of commands that the host writes (S0-R14), and the fences on them.
 *
 * A fence closes an *interval* of its channel; every task counts in the interval in which it was
 * accepted. A fence is over when its interval and all before it are empty. So a fence costs two
 * counts a task, and waits apart from the ring.
 */
#ifndef FIRMWARE_CP_HOST_CHANNEL_H
#define FIRMWARE_CP_HOST_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task/task.h"

/** Open all channels, empty. */
void channel_init(void);

/** The channel to read next: of those with commands, the one of the highest priority; of equals,
 * the next in turn. Refuses channels whose put word is out of range; reopens on request.
 * @param skip       Bit c: not channel c.
 * @param[out] more  Whether another channel has commands, too.
 * @return           Channel, or CP_CHANNELS for none. */
uint32_t channel_choose(uint32_t skip, bool *more);

/** Stop reading a channel, or read it again. */
void channel_suspend(uint32_t channel, bool suspended);

/** Whether a channel has commands, as of the last channel_choose(). */
bool channel_has_command(uint32_t channel);

/** A copy of the next command of a channel that has one. */
struct gg_command channel_peek(uint32_t channel);

/** Go past it: the host may write its place again. */
void channel_advance(uint32_t channel);

/** A task of a channel is accepted: it counts in the open interval. */
void channel_task_accepted(struct task *task);

/** Whether a channel can have one more fence in flight. */
bool channel_can_fence(uint32_t channel);

/** A fence is accepted: it closes the open interval. */
void channel_fence_accepted(struct task *fence);

/** A task of a channel has been reported; fences that waited for it last are over. */
void channel_task_finished(const struct task *task);

#endif /* FIRMWARE_CP_HOST_CHANNEL_H */
