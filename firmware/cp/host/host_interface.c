/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/host/host_interface.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/host/channel.h"
#include "firmware/cp/host/command.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/accept/submit.h"
#include "hal/mmio.h"

#define BATCH 16u /* commands taken in a turn of the loop, at most */

static uint32_t heard; /* post.rung as last read */
static bool waiting;   /* there are commands that were not taken */
static bool resumed;   /* a RESUME was served: look at all channels again */

static void serve(uint32_t channel, struct host_command *request)
{
	const struct gg_command *command = &request->command;

	request->source = (struct command_source){
		.tag = command->tag,
		.channel = (uint8_t)channel,
		.opcode = (uint8_t)gg_get(command->header, GG_COMMAND_OPCODE),
		.quiet = gg_get(command->header, GG_COMMAND_NO_INTERRUPT) != 0,
	};
	struct refusal answer = command_decode(request);
	bool now = true;

	due_set(DUE_SCHEDULE);
	perf_count(&device.perf->commands);
	if (answer.status == GG_OK) {
		now = command_invoke(request, &answer);
	}
	perf_count(answer.status == GG_OK ? &device.channels[channel].accepted
					  : &device.perf->refused);
	resumed = resumed || request->source.opcode == GG_OPCODE_RESUME;
	if (now) {
		completion_answer(&request->source, &answer);
	}
}

void host_interface_init(void)
{
	channel_init();
	heard = 0;
	waiting = false;
	resumed = false;
}

/* SUBMIT and FENCE need a place of the task pool. The others must not wait for one, because some of them, such as
 * CANCEL and CLOSE, make places free. */
static bool has_place(const struct gg_command *command)
{
	const uint32_t opcode = gg_get(command->header, GG_COMMAND_OPCODE);

	if ((opcode != GG_OPCODE_SUBMIT && opcode != GG_OPCODE_FENCE) || submit_has_room()) {
		return true;
	}
	perf_count(&device.perf->pool_full);
	return false;
}

/* Takes a batch of commands from a channel. Returns whether any was taken. */
static bool take_batch(uint32_t channel)
{
	uint32_t taken = 0;

	while (taken < BATCH && channel_has_command(channel) && completion_has_room()) {
		struct host_command request;

		request.command = channel_peek(channel);
		if (!has_place(&request.command)) {
			break;
		}
		channel_advance(channel);
		serve(channel, &request);
		taken++;
	}
	return taken != 0;
}

/* A channel whose next command lacks room is skipped, so that the others are read. */
bool host_interface_run(void)
{
	const uint32_t rung = mmio_read32(&device.post->rung);
	uint32_t stuck = 0;
	uint32_t channel;
	bool more;

	if (rung == heard && !waiting) {
		return false;
	}
	heard = rung;
	channel = channel_choose(stuck, &more);
	while (channel < CP_CHANNELS && !take_batch(channel)) {
		stuck |= 1u << channel;
		channel = channel_choose(stuck, &more);
	}
	waiting = stuck != 0 || channel < CP_CHANNELS; /* called again when there is room */
	if (channel == CP_CHANNELS) {
		return false;
	}
	const bool again =
		more || resumed || (channel_has_command(channel) && completion_has_room());

	resumed = false;
	waiting = stuck != 0 || again || channel_has_command(channel);
	return again;
}

/* channel_task_finished() may complete a fence, which this loop then posts, too. */
bool host_interface_post(void)
{
	bool posted = false;

	for (struct task *task = completion_take(); task != NULL; task = completion_take()) {
		posted = true;
		if (task->source.opcode == GG_OPCODE_SUBMIT) {
			channel_task_finished(task);
		}
		task_give(task);
	}
	completion_interrupt();
	return posted;
}

bool host_interface_waits(void)
{
	return waiting;
}
