/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/host/control.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/host/channel.h"
#include "firmware/cp/task/name_table.h"
#include "firmware/cp/life/life.h"

/** The cancellation of a channel; at most one is under way. */
struct sweep {
	bool active;                  /* one is under way */
	uint32_t channel;             /* the channel that is cancelled */
	uint32_t place;               /* next place of the task pool to look at */
	uint32_t last;                /* serial number of the last task accepted before it began */
	struct command_source source; /* of the CANCEL command */
};

static struct sweep sweep;

void control_init(void)
{
	sweep.active = false;
}

static struct refusal control_task(const struct gg_command *command, uint32_t opcode)
{
	const struct task_name name =
		task_name_of(command->address_lo, command->address_hi, command->argument0);
	struct task *task = name_table_find(name);

	if (task == NULL) {
		return refusal_of(GG_ERR_TASK, GG_FIELD_COMMAND_ADDRESS, name.address);
	}
	if (opcode == GG_OPCODE_CANCEL) {
		life_cancel(task);
	} else if (opcode == GG_OPCODE_SUSPEND) {
		life_suspend(task);
	} else {
		life_resume(task);
	}
	return refusal_none();
}

/* Tasks that come later are not cancelled; they have higher serial numbers. */
static struct refusal begin_sweep(uint32_t channel, const struct command_source *source)
{
	if (sweep.active) {
		return refusal_of(GG_ERR_BUSY, GG_FIELD_COMMAND_OPCODE, sweep.channel);
	}
	due_set(DUE_CONTROL);
	sweep = (struct sweep){
		.active = true,
		.channel = channel,
		.last = task_pool_serial(),
		.source = *source,
	};
	return refusal_none();
}

static struct refusal control_channel(const struct gg_command *command,
				      const struct command_source *source)
{
	const uint32_t channel = command->argument0;

	if (channel >= CP_CHANNELS || command->address_lo != 0 || command->address_hi != 0) {
		return refusal_of(GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, channel);
	}
	if (source->opcode == GG_OPCODE_CANCEL) {
		return begin_sweep(channel, source);
	}
	if (source->opcode == GG_OPCODE_SUSPEND && channel == source->channel) {
		/* it would not read the command that resumes it */
		return refusal_of(GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, channel);
	}
	channel_suspend(channel, source->opcode == GG_OPCODE_SUSPEND);
	return refusal_none();
}

bool control_invoke(const struct gg_command *command, const struct command_source *source,
		    struct refusal *refusal)
{
	switch (command->argument1) {
	case GG_TARGET_TASK:
		*refusal = control_task(command, source->opcode);
		return true;
	case GG_TARGET_CHANNEL:
		*refusal = control_channel(command, source);
		/* the answer to a cancellation follows at its end */
		return refusal->status != GG_OK || source->opcode != GG_OPCODE_CANCEL;
	default:
		*refusal =
			refusal_of(GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT1, command->argument1);
		return true;
	}
}

static void sweep_place(struct task *task)
{
	const bool meant = task->serial != 0 && (int32_t)(sweep.last - task->serial) >= 0 &&
			   task->source.opcode == GG_OPCODE_SUBMIT &&
			   task->source.channel == sweep.channel;

	if (meant) {
		life_cancel(task);
	}
}

bool control_run(void)
{
	const struct refusal none = refusal_none();

	for (uint32_t step = 0; sweep.active && step < CP_SWEEP; step++) {
		if (sweep.place < task_pool_touched()) {
			sweep_place(task_pool_place(sweep.place));
			sweep.place++;
		} else if (completion_has_room()) {
			completion_answer(&sweep.source, &none);
			sweep.active = false;
			due_clear(DUE_CONTROL);
		} else {
			return false; /* goes on when completions were posted: control_waits() */
		}
	}
	return sweep.active;
}

bool control_waits(void)
{
	return sweep.active;
}
