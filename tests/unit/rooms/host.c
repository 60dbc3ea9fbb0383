/* SPDX-License-Identifier: Apache-2.0 */
/* Plays the room host, and the loop: commands of the channels are carried out, unchecked, channel after channel; then
 * the rooms below have their turn. There are no graphs. */
#include <assert.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/submit.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/cga/cga_wait.h"
#include "firmware/cp/collect/inbox.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/finish/retire.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/life/feed.h"
#include "firmware/cp/life/life.h"
#include "firmware/cp/pull/config_pull.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/pull/pull_place.h"
#include "firmware/cp/pull/pull_recall.h"
#include "firmware/cp/schedule/minimum_share.h"
#include "firmware/cp/schedule/task_management.h"
#include "firmware/cp/schedule/throttle.h"
#include "firmware/cp/schedule/work_distribution.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"
#include "firmware/cp/task/name_table.h"
#include "firmware/cp/task/quarantine.h"
#include "firmware/cp/task/queue.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/task/stall.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/trace.h"
#include "hal/timer.h"
#include "tests/unit/fake_device.h"

/* Parts of CONFIG that there are. */
#define PARTS                                                                                    \
	(1u << GG_CONFIG_PART_ENABLED | 1u << GG_CONFIG_PART_GROUP | 1u << GG_CONFIG_PART_RANK | \
	 1u << GG_CONFIG_PART_FLOOR | 1u << GG_CONFIG_PART_CLUSTER | 1u << GG_CONFIG_PART_PULL)

static void init_rooms(void)
{
	launch_init();
	inbox_init();
	cga_init();
	life_init();
	range_init();
	quarantine_init();
	queue_init();
	pull_init();
	task_management_init();
	task_table_init();
	minimum_share_init();
	throttle_init();
	work_distribution_init();
	completion_init();
	trace_switch(false);
}

void fake_rooms_init(void)
{
	fake_sms_init();
	init_rooms();
	device.config->throttle_sms = throttle_sms();
	device.config->cga_ids = cga_id_limit();
	device.config->cga_patience = CGA_PATIENCE;
}

static bool has(uint32_t parts, enum gg_config_part part)
{
	return (parts >> part & 1u) != 0;
}

static void configure_sms(uint32_t parts)
{
	const struct gg_config *config = device.config;
	uint16_t order[CP_SMS];

	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		if (has(parts, GG_CONFIG_PART_ENABLED)) {
			sm_state_enable(sm, bits_has(config->enabled, sm));
		}
		if (has(parts, GG_CONFIG_PART_GROUP)) {
			sm_state_group(sm, config->group[sm]);
		}
		order[sm] = (uint16_t)config->rank[sm];
	}
	if (has(parts, GG_CONFIG_PART_RANK)) {
		sm_state_rank(order);
	}
	sm_tree_build();
	if (has(parts, GG_CONFIG_PART_ENABLED) && pull_slots() != 0) {
		pull_recall_disabled();
	}
}

/* Only the room pull checks its part itself. */
static struct refusal configure(uint32_t parts)
{
	struct refusal refusal = refusal_none();
	struct pull_settings pull;

	configure_sms(parts);
	if (has(parts, GG_CONFIG_PART_FLOOR)) {
		minimum_share_set(device.config->floor_per_mille);
	}
	if (has(parts, GG_CONFIG_PART_CLUSTER)) {
		cga_id_set_limit(device.config->cga_ids);
		cga_wait_set_patience(device.config->cga_patience);
	}
	if (has(parts, GG_CONFIG_PART_PULL)) {
		refusal = config_pull_read(&pull);
		if (refusal.status == GG_OK) {
			pull_place_set(&pull);
		}
	}
	assert((parts & ~PARTS) == 0);
	return refusal;
}

static bool accept(const struct gg_command *command, uint32_t channel, struct refusal *answer)
{
	struct task *task = task_take();

	assert(task != NULL);
	task->source.tag = command->tag;
	task->source.channel = (uint8_t)channel;
	task->source.opcode = GG_OPCODE_SUBMIT;
	task->source.trusted = true;
	task->source.posted = timer_now();
	if (submit(task,
		   task_name_of(command->address_lo, command->address_hi, command->argument0))) {
		device.perf->tasks_accepted++;
		life_begin(task);
		return true;
	}
	*answer = task->failure;
	task_give(task);
	return false;
}

/* A command that names a task. */
static enum gg_status act_on_task(const struct gg_command *command)
{
	const struct task_name name =
		task_name_of(command->address_lo, command->address_hi, command->argument0);
	struct queue_items items = { .count = command->argument2, .bytes = QUEUE_PUSH };
	const bool feeds = command->header == GG_OPCODE_PUSH || command->header == GG_OPCODE_CLOSE;
	struct task *task = feeds ? name_table_find_queue(name) : name_table_find(name);

	assert(command->argument1 == 0 || command->header == GG_OPCODE_PUSH);
	if (command->argument1 != QUEUE_IN_PLACE) {
		items.from = device_pointer(command->argument1);
	}
	if (task == NULL) {
		return GG_ERR_TASK;
	}
	switch (command->header) {
	case GG_OPCODE_PUSH:
		return feed_push(task, &items, false);
	case GG_OPCODE_CLOSE:
		feed_close(task);
		return GG_OK;
	case GG_OPCODE_CANCEL:
		life_cancel(task);
		return GG_OK;
	case GG_OPCODE_SUSPEND:
		life_suspend(task);
		return GG_OK;
	default:
		assert(command->header == GG_OPCODE_RESUME);
		life_resume(task);
		return GG_OK;
	}
}

static void run_command(const struct gg_command *command, uint32_t channel)
{
	const struct command_source source = { .tag = command->tag };
	struct refusal answer = refusal_none();

	if (command->header == GG_OPCODE_SUBMIT) {
		if (accept(command, channel, &answer)) {
			return;
		}
	} else if (command->header == GG_OPCODE_CONFIG) {
		answer = configure(command->argument0);
	} else {
		answer.status = act_on_task(command);
	}
	completion_answer(&source, &answer);
}

static void run_commands(void)
{
	for (uint32_t channel = 0; channel < CP_CHANNELS; channel++) {
		const struct gg_command *entries = device.commands[channel].entries;
		struct gg_channel *words = &device.channels[channel];

		while (words->get != words->put) {
			run_command(&entries[words->get++ % CP_CHANNEL_ENTRIES], channel);
		}
	}
}

static void schedule(void)
{
	while (task_management_run()) {
		life_collect();
	}
	life_collect();
	if (pull_slots() != 0) {
		work_distribution_refresh();
		life_collect();
	}
	work_distribution_run();
}

bool fake_turn(void)
{
	stall_turn();
	run_commands();
	inbox_run();
	feed_run();
	retire_run();
	schedule();
	for (struct task *task = completion_take(); task != NULL; task = completion_take()) {
		task_give(task);
	}
	return life_has_over();
}
