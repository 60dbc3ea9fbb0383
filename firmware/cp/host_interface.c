/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/host_interface.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/channel.h"
#include "firmware/cp/completion.h"
#include "firmware/cp/config.h"
#include "firmware/cp/device.h"
#include "firmware/cp/perf.h"
#include "firmware/cp/sm_state.h"
#include "firmware/cp/task_management.h"
#include "firmware/cp/tmd.h"
#include "firmware/cp/trace.h"
#include "hal/mmio.h"
#include "hal/timer.h"

#define CODE_BYTES 65536u /* most bytes of one CODE command */
#define BATCH      16u    /* commands taken before scheduling has its turn */

#define ADDRESS   0x0cu /* words of a command: address_lo and _hi */
#define ARGUMENT0 0x10u /* argument0 */
#define ALL_FLAGS GG_COMMAND_NO_INTERRUPT

/** A command and where it came from. */
struct request {
	struct gg_command command;
	struct command_source source;
};

/** How an opcode is decoded: what may be set, and who does it. */
struct command_rule {
	uint32_t flags; /* header bits, but for the opcode, that may be set */
	uint32_t words; /* bit w: word w may be other than zero; header and tag may */
	/* Returns whether the answer is to be sent now; else a completion follows. */
	bool (*invoke)(const struct request *request, struct refusal *answer);
};

static uint32_t heard; /* post.rung as last read */
static bool waiting;   /* commands are there that could not be taken */
static uint32_t tasks; /* accepted and not reported */

static bool invoke_nop(const struct request *request, struct refusal *answer)
{
	(void)request;
	(void)answer;
	return true;
}

static struct task *take_task(const struct request *request)
{
	struct task *task = task_take();

	task->tag = request->source.tag;
	task->channel = request->source.channel;
	task->opcode = request->source.opcode;
	task->quiet = request->source.quiet;
	task->times.posted = timer_now();
	return task;
}

static bool invoke_submit(const struct request *request, struct refusal *answer)
{
	struct task *task = take_task(request);
	const struct gg_command *command = &request->command;

	if (!tmd_take(task, gg_join(command->address_lo, command->address_hi),
		      command->argument0)) {
		*answer = task->failure;
		task_give(task);
		return true;
	}
	tasks++;
	perf_count(&device.perf->tasks_accepted);
	channel_task_accepted(task);
	task_management_add(task);
	trace_event(task, (struct trace_event){
				  .type = GG_TRACE_TYPE_ACCEPT,
				  .sm = TRACE_NO_SM,
				  .cta = task->left,
				  .extra = task->priority,
			  });
	return false;
}

static bool invoke_fence(const struct request *request, struct refusal *answer)
{
	if (!channel_can_fence(request->source.channel)) {
		*answer = (struct refusal){ GG_ERR_BUSY, GG_FIELD_COMMAND_OPCODE, CP_FENCES };
		return true;
	}
	channel_fence_accepted(take_task(request));
	return false;
}

static bool invoke_query(const struct request *request, struct refusal *answer)
{
	const uint32_t what = request->command.argument0;

	if (what > GG_QUERY_WHAT_TASKS) {
		*answer = (struct refusal){ GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, what };
	} else {
		answer->value = what == GG_QUERY_WHAT_TASKS ? tasks : sm_state_resident();
	}
	return true;
}

static bool invoke_config(const struct request *request, struct refusal *answer)
{
	*answer = config_apply(request->command.argument0);
	return true;
}

static bool invoke_trace(const struct request *request, struct refusal *answer)
{
	const uint32_t on = request->command.argument0;

	if (on > 1) {
		*answer = (struct refusal){ GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, on };
	} else {
		trace_switch(on != 0);
	}
	return true;
}

/* A store by a hart is what every machine notices as new code: an emulator may have kept what it
 * made of the old words, which the host's own store does not tell it. SMs do the rest with fence.i
 * when they take a task's state. Bounded, so that the loop goes on. */
static bool invoke_code(const struct request *request, struct refusal *answer)
{
	const struct gg_command *command = &request->command;
	const uint64_t address = gg_join(command->address_lo, command->address_hi);
	const uint32_t bytes = command->argument0;

	if (!device_holds(address, bytes) || address % 4 != 0) {
		*answer = (struct refusal){ GG_ERR_CODE_RANGE, GG_FIELD_COMMAND_ADDRESS, address };
		return true;
	}
	if (bytes > CODE_BYTES || bytes % 4 != 0) {
		*answer = (struct refusal){ GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, bytes };
		return true;
	}
	uint32_t *words = device_words(address);

	for (uint32_t word = 0; word < bytes / 4; word++) {
		mmio_write32(&words[word], mmio_read32(&words[word]));
	}
	return true;
}

static bool invoke_unsupported(const struct request *request, struct refusal *answer)
{
	*answer = (struct refusal){ GG_ERR_UNSUPPORTED, GG_FIELD_COMMAND_OPCODE,
				    request->source.opcode };
	return true;
}

#define WORDS_ALL 0xffu

static const struct command_rule rules[] = {
	[GG_OPCODE_NOP] = { ALL_FLAGS, 0, invoke_nop },
	[GG_OPCODE_SUBMIT] = { ALL_FLAGS, ADDRESS | ARGUMENT0, invoke_submit },
	[GG_OPCODE_FENCE] = { ALL_FLAGS, 0, invoke_fence },
	[GG_OPCODE_QUERY] = { ALL_FLAGS, ARGUMENT0, invoke_query },
	[GG_OPCODE_CONFIG] = { ALL_FLAGS, ARGUMENT0, invoke_config },
	[GG_OPCODE_CANCEL] = { ALL_FLAGS, WORDS_ALL, invoke_unsupported },
	[GG_OPCODE_SUSPEND] = { ALL_FLAGS, WORDS_ALL, invoke_unsupported },
	[GG_OPCODE_RESUME] = { ALL_FLAGS, WORDS_ALL, invoke_unsupported },
	[GG_OPCODE_RESET_SM] = { ALL_FLAGS, WORDS_ALL, invoke_unsupported },
	[GG_OPCODE_TRACE] = { ALL_FLAGS, ARGUMENT0, invoke_trace },
	[GG_OPCODE_GRAPH] = { ALL_FLAGS, WORDS_ALL, invoke_unsupported },
	[GG_OPCODE_CODE] = { ALL_FLAGS, ADDRESS | ARGUMENT0, invoke_code },
};

static struct refusal decode_words(const struct gg_command *command, uint32_t allowed)
{
	const uint32_t *words = (const uint32_t *)command;

	for (uint32_t word = 2; word < sizeof(*command) / 4; word++) {
		if (words[word] != 0 && (allowed >> word & 1u) == 0) {
			return (struct refusal){ GG_ERR_FLAGS,
						 (GG_FIELD_COMMAND_TAG & 0xff000000u) | word * 4,
						 words[word] };
		}
	}
	return (struct refusal){ 0 };
}

/* Checks all, changes nothing. */
static struct refusal decode(const struct request *request)
{
	const uint32_t header = request->command.header;
	const uint32_t opcode = request->source.opcode;

	if (opcode >= sizeof(rules) / sizeof(rules[0])) {
		return (struct refusal){ GG_ERR_OPCODE, GG_FIELD_COMMAND_OPCODE, opcode };
	}
	const uint32_t flags = header & ~(uint32_t)GG_COMMAND_OPCODE & ~rules[opcode].flags;

	if (flags != 0) {
		return (struct refusal){ GG_ERR_FLAGS, GG_FIELD_COMMAND_COMMAND_RESERVED, flags };
	}
	return decode_words(&request->command, rules[opcode].words);
}

static void host_interface_take(uint32_t channel)
{
	const struct gg_command command = channel_take(channel);
	const struct request request = {
		.command = command,
		.source = {
			.tag = command.tag,
			.channel = (uint8_t)channel,
			.opcode = (uint8_t)gg_get(command.header, GG_COMMAND_OPCODE),
			.quiet = gg_get(command.header, GG_COMMAND_NO_INTERRUPT) != 0,
		},
	};
	struct refusal answer = decode(&request);

	bool now = true;

	perf_count(&device.perf->commands);
	if (answer.status == GG_OK) {
		now = rules[request.source.opcode].invoke(&request, &answer);
	}
	perf_count(answer.status == GG_OK ? &device.channels[channel].accepted
					  : &device.perf->refused);
	if (now) {
		completion_answer(&request.source, &answer);
	}
}

void host_interface_init(void)
{
	channel_init();
	heard = 0;
	waiting = false;
	tasks = 0;
}

/* A command needs a place in the pool, or room for its answer; which, is known only when it is
 * taken, so both are asked for. */
static bool host_interface_can_take(void)
{
	if (!task_pool_has_room()) {
		perf_count(&device.perf->pool_full);
		return false;
	}
	return completion_has_room();
}

bool host_interface_run(void)
{
	const uint32_t rung = mmio_read32(&device.post->rung);
	bool more;

	if (rung == heard && !waiting) {
		return false;
	}
	heard = rung;

	const uint32_t channel = channel_choose(&more);

	waiting = channel < CP_CHANNELS;
	if (!waiting) {
		return false;
	}
	for (uint32_t taken = 0; taken < BATCH && channel_has_command(channel); taken++) {
		if (!host_interface_can_take()) {
			return false; /* an event that makes room wakes us */
		}
		host_interface_take(channel);
	}
	waiting = more || channel_has_command(channel);
	return waiting;
}

bool host_interface_waits(void)
{
	return waiting;
}

void host_interface_finished(const struct task *task)
{
	if (task->opcode != GG_OPCODE_SUBMIT) {
		return;
	}
	tasks--;
	perf_count(&device.perf->tasks_completed);
	if (task->failure.status != GG_OK) {
		perf_count(&device.perf->tasks_failed);
	}
	channel_task_finished(task);
}
