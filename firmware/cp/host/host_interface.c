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
#include "firmware/cp/accept/tmd.h"
#include "hal/mmio.h"

#define BATCH 16u /* commands taken in a turn of the loop, at most */

static bool waiting; /* there are commands that were not taken */
static bool resumed; /* a RESUME was served: look at all channels again */
static uint32_t
	before; /* commands of this turn's batch that the short way has taken, if the stages go on with it */

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

	due_set(request->source.opcode == GG_OPCODE_SUBMIT ? DUE_FILL : DUE_SCHEDULE);
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
	waiting = false;
	resumed = false;
	before = 0;
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

/* Takes a batch of commands from a channel, or the rest of it. Returns whether any was taken. */
static bool take_batch(uint32_t channel, uint32_t most)
{
	uint32_t taken = 0;

	while (taken < most && channel_has_command(channel) && completion_has_room()) {
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
	const uint32_t most = BATCH - before;
	uint32_t stuck = 0;
	uint32_t channel;
	bool more;

	before = 0;
	if (!channel_listen() && !waiting) {
		return false;
	}
	channel = channel_choose(stuck, &more);
	while (channel < CP_CHANNELS && !take_batch(channel, most)) {
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

static bool is_plain(const struct gg_command *command)
{
	return (command->header & ~(uint32_t)GG_COMMAND_NO_INTERRUPT) ==
		       gg_put(GG_COMMAND_OPCODE, GG_OPCODE_SUBMIT) &&
	       (command->argument1 | command->argument2 | command->argument3) == 0;
}

/* Answers the only command of a channel if it is a NOP. */
static bool answer_nop(const struct channel_run *run, const struct gg_command *command)
{
	const uint32_t options = command->header & GG_COMMAND_NO_INTERRUPT;

	if ((command->header ^ options) != gg_put(GG_COMMAND_OPCODE, GG_OPCODE_NOP) ||
	    (command->address_lo | command->address_hi | command->argument0 | command->argument1 |
	     command->argument2 | command->argument3) != 0) {
		return false;
	}
	const struct command_source source = {
		.tag = command->tag,
		.channel = (uint8_t)run->number,
		.opcode = GG_OPCODE_NOP,
		.quiet = options != 0,
	};

	perf_count(&device.perf->commands);
	channel_run_taken(run, 1);
	completion_post_done(&source);
	return true;
}

/* The priority of the TMD that a SUBMIT names; 0 when there is none. */
static uint32_t priority_of(const struct gg_command *command)
{
	const uint64_t address = gg_join(command->address_lo, command->address_hi);

	if (!tmd_may_be_at(address)) {
		return 0;
	}
	return gg_get(mmio_read32(device_pointer(address)), GG_TMD_PRIORITY);
}

/* How many of the commands of a run a turn takes; 0: there are others than SUBMITs without options. A more urgent task must
 * not be behind a less urgent one, because the scheduler would take it first. It gets what it needs of the run, so that the
 * run can be in registers. */
static __attribute__((noinline)) uint32_t
count_in_order(struct channel *channel, const struct gg_command *ring, uint32_t there)
{
	const struct channel_run run = { .channel = channel, .ring = ring };
	const uint32_t count = there < BATCH ? there : BATCH;
	uint32_t last = 0;

	for (uint32_t number = 0; number < count; number++) {
		const struct gg_command *command = channel_run_command(&run, number);

		if (!is_plain(command)) {
			return 0;
		}
		const uint32_t priority = priority_of(command);

		if (priority == 0 || priority < last) {
			return 0;
		}
		last = priority;
	}
	return count;
}

bool host_interface_is_quiet(void)
{
	return !waiting && !channel_listen();
}

/* Nearly always there is one command. */
bool host_interface_plain(struct host_batch *batch)
{
	batch->count = 0;
	if (!channel_listen()) {
		return !waiting;
	}
	if (!channel_alone(&batch->run)) {
		return false;
	}
	if (batch->run.count > 1) {
		batch->count =
			count_in_order(batch->run.channel, batch->run.ring, batch->run.count);
		return batch->count != 0;
	}
	const struct gg_command *command = channel_run_command(&batch->run, 0);

	if (is_plain(command)) {
		batch->count = 1;
		return true;
	}
	return answer_nop(&batch->run, command);
}

void host_interface_take(const struct host_batch *batch, uint32_t count)
{
	waiting = count != batch->run.count;
	if (count != batch->count) {
		before = count;
	}
	channel_run_taken(&batch->run, count);
	device.perf->commands += count;
	device.perf->tasks_accepted += count;
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
		submit_give(task);
	}
	completion_interrupt();
	return posted;
}

bool host_interface_waits(void)
{
	return waiting;
}
