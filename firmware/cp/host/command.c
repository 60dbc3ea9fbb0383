/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/host/command.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/occupancy.h"
#include "firmware/cp/host/channel.h"
#include "firmware/cp/host/config.h"
#include "firmware/cp/host/control.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/name_table.h"
#include "firmware/cp/graph/graph_kept.h"
#include "firmware/cp/life/life.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/base/restart.h"
#include "firmware/cp/recover/reset.h"
#include "firmware/cp/life/feed.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/accept/submit.h"
#include "firmware/cp/task/trace.h"
#include "firmware/cp/wave/wave.h"
#include "hal/mmio.h"
#include "hal/timer.h"

#define CODE_BYTES 65536u /* bytes of one CODE command, at most */

#define ADDRESS   0x0cu /* bits of command_rule.words: address_lo and _hi */
#define ARGUMENT0 0x10u /* argument0 */
#define ARGUMENT1 0x20u /* argument1 */
#define ARGUMENT2 0x40u /* argument2 */
#define TARGET    (ADDRESS | ARGUMENT0 | ARGUMENT1)
#define ALL_FLAGS GG_COMMAND_NO_INTERRUPT

/** What a command of an opcode may contain, and the function that carries it out. */
struct command_rule {
	uint32_t flags; /* header bits besides the opcode that may be set */
	uint32_t words; /* bit w: word w may be nonzero; header and tag always may */
	/* Returns true when the answer is to be sent now; false: a completion follows later. */
	bool (*invoke)(const struct host_command *request, struct refusal *answer);
};

static bool invoke_nop(const struct host_command *request, struct refusal *answer)
{
	(void)request;
	(void)answer;
	return true;
}

static struct task_name name_of(const struct gg_command *command)
{
	return task_name_of(command->address_lo, command->address_hi, command->argument0);
}

/* Says in a task that was taken from where it comes. */
static __attribute__((noinline)) void fill(struct task *task, const struct host_command *request)
{
	task->source.tag = request->source.tag;
	task->source.channel = request->source.channel;
	task->source.opcode = request->source.opcode;
	task->source.quiet = request->source.quiet;
	task->source.posted = timer_now();
}

static bool invoke_submit(const struct host_command *request, struct refusal *answer)
{
	const struct task_name name = name_of(&request->command);
	struct task *task = submit_take(NULL, name, true);

	fill(task, request);
	task->source.trusted = true;
	if (!submit(task, name)) {
		*answer = task->failure;
		task_give(task);
		return true;
	}
	perf_count(&device.perf->tasks_accepted);
	channel_task_accepted(task);
	life_begin(task);
	return false;
}

static bool invoke_fence(const struct host_command *request, struct refusal *answer)
{
	if (!channel_can_fence(request->source.channel)) {
		*answer = refusal_of(GG_ERR_BUSY, GG_FIELD_COMMAND_OPCODE, CP_FENCES);
		return true;
	}
	struct task *task = task_take();

	fill(task, request);
	channel_fence_accepted(task);
	return false;
}

/* Nearly always all words that must be zero are, which one look at all of them tells. */
static struct refusal decode_words(const struct gg_command *command, uint32_t allowed)
{
	const uint32_t *words = (const uint32_t *)command;
	uint32_t wrong = 0;

#pragma GCC unroll 8
	for (uint32_t word = 2; word < sizeof(*command) / 4; word++) {
		wrong |= words[word] & ((allowed >> word & 1u) - 1u);
	}
	for (uint32_t word = 2; wrong != 0; word++) {
		if (words[word] != 0 && (allowed >> word & 1u) == 0) {
			return refusal_of(GG_ERR_FLAGS,
					  (GG_FIELD_COMMAND_TAG & 0xff000000u) | word * 4,
					  words[word]);
		}
	}
	return refusal_none();
}

static uint32_t tasks_in_device(void)
{
	return device.perf->tasks_accepted - device.perf->tasks_completed;
}

/* An SM that takes the interrupt saves the registers of its CTA, where the host finds them. */
static uint32_t let_sms_look(void)
{
	uint32_t busy = 0;

	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		if (mmio_read32(&device.sms[sm].resident) != 0) {
			sm_interrupt(sm);
			busy++;
		}
	}
	return busy;
}

/* Only the queries about clusters name a TMD; for the others its words must be zero. */
static struct refusal answer_query(const struct gg_command *command)
{
	const uint32_t what = command->argument0;
	struct refusal answer;

	switch (what) {
	case GG_QUERY_WHAT_DEVICE:
	case GG_QUERY_WHAT_TASKS:
	case GG_QUERY_WHAT_LOOK:
		answer = decode_words(command, ARGUMENT0);
		if (answer.status == GG_OK) {
			answer.value = what == GG_QUERY_WHAT_DEVICE  ? sm_state_resident()
				       : what == GG_QUERY_WHAT_TASKS ? tasks_in_device()
								     : let_sms_look();
		}
		return answer;
	case GG_QUERY_WHAT_CLUSTERS_NOW:
	case GG_QUERY_WHAT_CLUSTERS_MOST:
		return occupancy(
			NULL,
			task_name_of(command->address_lo, command->address_hi, command->argument1),
			what == GG_QUERY_WHAT_CLUSTERS_MOST);
	default:
		return refusal_of(GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, what);
	}
}

/* A host that asks again is told what has ended meanwhile. */
static bool invoke_query(const struct host_command *request, struct refusal *answer)
{
	if (wave_is_here()) {
		wave_want();
	}
	*answer = answer_query(&request->command);
	return true;
}

static bool invoke_config(const struct host_command *request, struct refusal *answer)
{
	*answer = config_apply(request->command.argument0);
	return true;
}

static bool invoke_trace(const struct host_command *request, struct refusal *answer)
{
	const uint32_t on = request->command.argument0;

	if (on > 1) {
		*answer = refusal_of(GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, on);
	} else if (on == 1 && !part_is_here(GG_FEATURE_TRACE)) {
		*answer = refusal_of(GG_ERR_UNSUPPORTED, GG_FIELD_COMMAND_OPCODE, GG_OPCODE_TRACE);
	} else if (part_is_here(GG_FEATURE_TRACE)) {
		trace_switch(on != 0);
	}
	return true;
}

/* The host has written new code. The CP stores each word again, because an emulator may have kept its translation
 * of the old code: it notices stores by a hart, but not those of the host. SMs execute fence.i when they take a
 * task's state. The bytes are bounded so that the loop goes on. */
static bool invoke_code(const struct host_command *request, struct refusal *answer)
{
	const struct gg_command *command = &request->command;
	const uint64_t address = gg_join(command->address_lo, command->address_hi);
	const uint32_t bytes = command->argument0;

	if (!device_holds(address, bytes) || address % 4 != 0) {
		*answer = refusal_of(GG_ERR_CODE_RANGE, GG_FIELD_COMMAND_ADDRESS, address);
		return true;
	}
	if (bytes > CODE_BYTES || bytes % 4 != 0) {
		*answer = refusal_of(GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, bytes);
		return true;
	}
	uint32_t *words = device_words(address);

	for (uint32_t word = 0; word < bytes / 4; word++) {
		mmio_write32(&words[word], mmio_read32(&words[word]));
	}
	return true;
}

static struct task *find_queue(const struct gg_command *command, struct refusal *answer)
{
	const struct task_name name = name_of(command);
	struct task *task = name_table_find_queue(name);

	if (task == NULL) {
		*answer = refusal_of(GG_ERR_TASK, GG_FIELD_COMMAND_ADDRESS, name.address);
	}
	return task;
}

/* The source has `count` items of the queue's item size; all these bytes must lie in device memory. */
static bool invoke_push(const struct host_command *request, struct refusal *answer)
{
	const struct gg_command *command = &request->command;
	const uint64_t source = gg_join(command->argument1, command->argument3);
	struct queue_items items = { .count = command->argument2, .bytes = QUEUE_PUSH };
	struct task *task = find_queue(command, answer);

	if (task == NULL) {
		return true;
	}
	if (source != QUEUE_IN_PLACE) {
		const uint64_t bytes = (uint64_t)items.count * task->queue->item_bytes;

		if (source % 4 != 0 || bytes > QUEUE_PUSH || !device_holds(source, bytes)) {
			*answer = refusal_of(GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT1, source);
			return true;
		}
		items.from = device_pointer(source);
	}
	answer->status = feed_push(task, &items, false);
	if (answer->status != GG_OK) {
		*answer = refusal_of(answer->status, GG_FIELD_COMMAND_ARGUMENT2, items.count);
	}
	return true;
}

static bool invoke_close(const struct host_command *request, struct refusal *answer)
{
	struct task *task = find_queue(&request->command, answer);

	if (task != NULL) {
		feed_close(task);
	}
	return true;
}

static bool invoke_control(const struct host_command *request, struct refusal *answer)
{
	return control_invoke(&request->command, &request->source, answer);
}

static bool invoke_graph(const struct host_command *request, struct refusal *answer)
{
	const struct gg_command *command = &request->command;

	if (command->argument2 != GG_GRAPH_ACTION_FREE) {
		*answer =
			refusal_of(GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT2, command->argument2);
	} else if (!part_is_here(GG_FEATURE_GRAPHS)) {
		*answer = refusal_of(GG_ERR_UNSUPPORTED, GG_FIELD_COMMAND_OPCODE, GG_OPCODE_GRAPH);
	} else {
		*answer = graph_kept_free(command->argument1);
	}
	return true;
}

static bool invoke_reset(const struct host_command *request, struct refusal *answer)
{
	const uint32_t target = request->command.argument1;

	if (part_is_here(GG_FEATURE_RESTARTS) && target != 0) {
		if (target == GG_TARGET_DEVICE) {
			restart_now();
		}
		*answer = refusal_of(GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT1, target);
		return true;
	}
	*answer = part_is_here(GG_FEATURE_RESETS)
			  ? reset_command(request->command.argument0, &request->source)
			  : refusal_of(GG_ERR_UNSUPPORTED, GG_FIELD_COMMAND_OPCODE,
				       GG_OPCODE_RESET_SM);
	return answer->status != GG_OK;
}

#define WORDS_ALL 0xffu

static const struct command_rule rules[] = {
	[GG_OPCODE_NOP] = { ALL_FLAGS, 0, invoke_nop },
	[GG_OPCODE_SUBMIT] = { ALL_FLAGS, ADDRESS | ARGUMENT0, invoke_submit },
	[GG_OPCODE_FENCE] = { ALL_FLAGS, 0, invoke_fence },
	[GG_OPCODE_QUERY] = { ALL_FLAGS, TARGET, invoke_query },
	[GG_OPCODE_CONFIG] = { ALL_FLAGS, ARGUMENT0, invoke_config },
	[GG_OPCODE_CANCEL] = { ALL_FLAGS, TARGET, invoke_control },
	[GG_OPCODE_SUSPEND] = { ALL_FLAGS, TARGET, invoke_control },
	[GG_OPCODE_RESUME] = { ALL_FLAGS, TARGET, invoke_control },
	[GG_OPCODE_RESET_SM] = { ALL_FLAGS,
				 ARGUMENT0 | (PART_IS_HERE(GG_FEATURE_RESTARTS) ? ARGUMENT1 : 0),
				 invoke_reset },
	[GG_OPCODE_TRACE] = { ALL_FLAGS, ARGUMENT0, invoke_trace },
	[GG_OPCODE_GRAPH] = { ALL_FLAGS, ARGUMENT1 | ARGUMENT2, invoke_graph },
	[GG_OPCODE_CODE] = { ALL_FLAGS, ADDRESS | ARGUMENT0, invoke_code },
	[GG_OPCODE_PUSH] = { ALL_FLAGS, WORDS_ALL, invoke_push },
	[GG_OPCODE_CLOSE] = { ALL_FLAGS, ADDRESS | ARGUMENT0, invoke_close },
};

struct refusal command_decode(const struct host_command *request)
{
	const uint32_t header = request->command.header;
	const uint32_t opcode = request->source.opcode;

	if (opcode >= sizeof(rules) / sizeof(rules[0])) {
		return refusal_of(GG_ERR_OPCODE, GG_FIELD_COMMAND_OPCODE, opcode);
	}
	const uint32_t flags = header & ~(uint32_t)GG_COMMAND_OPCODE & ~rules[opcode].flags;

	if (flags != 0) {
		return refusal_of(GG_ERR_FLAGS, GG_FIELD_COMMAND_COMMAND_RESERVED, flags);
	}
	return decode_words(&request->command, rules[opcode].words);
}

bool command_invoke(const struct host_command *request, struct refusal *answer)
{
	const uint32_t opcode = request->source.opcode;

	if (wave_is_here() && wave_behind != 0 && opcode != GG_OPCODE_SUBMIT) {
		wave_settle();
	}
	return rules[opcode].invoke(request, answer);
}
