/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/graph/graph_state.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/accept/submit.h"
#include "firmware/cp/accept/tmd.h"
#include "firmware/cp/accept/tmd_kept.h"
#include "firmware/graph/history.h"

#define WAVES_A_SECOND 20000u /* default estimate: a wave, a device full of CTAs, takes 50 us */

/* Task types that a state may have: all grids. */
#define TYPES                                                                                \
	(1u << GG_TASK_TYPE_GRID | 1u << GG_TASK_TYPE_GPC_CGA | 1u << GG_TASK_TYPE_GPU_CGA | \
	 1u << GG_TASK_TYPE_GPU_GPC_CGA | 1u << GG_TASK_TYPE_CGA)

/* Checks that a TMD is a grid, without the fields that a state must not have. */
static struct refusal check_absent(const struct gg_tmd *tmd)
{
	const struct {
		uint32_t value;
		enum gg_field field;
	} absent[] = {
		{ tmd->args_bytes, GG_FIELD_TMD_ARGS_BYTES },
		{ tmd->dependent_count, GG_FIELD_TMD_DEPENDENT_COUNT },
		{ tmd->dependence_count, GG_FIELD_TMD_DEPENDENCE_COUNT },
		{ tmd->after_count, GG_FIELD_TMD_AFTER_COUNT },
		{ tmd->semaphore0_op, GG_FIELD_TMD_SEMAPHORE0_OP },
		{ tmd->semaphore1_op, GG_FIELD_TMD_SEMAPHORE1_OP },
		{ tmd->window_count, GG_FIELD_TMD_WINDOW_COUNT },
		{ tmd->print_bytes, GG_FIELD_TMD_PRINT_BYTES },
		{ tmd->resume_lo | tmd->resume_hi, GG_FIELD_TMD_RESUME },
		{ tmd->queue_items, GG_FIELD_TMD_QUEUE_ITEMS },
	};
	const uint32_t type = gg_get(tmd->header, GG_TMD_TYPE);

	if ((TYPES >> type & 1u) == 0) {
		return refusal_of(GG_ERR_GRAPH_FORMAT, GG_FIELD_TMD_TYPE, type);
	}
	for (uint32_t index = 0; index < sizeof(absent) / sizeof(absent[0]); index++) {
		if (absent[index].value != 0) {
			return refusal_of(GG_ERR_GRAPH_FORMAT, absent[index].field,
					  absent[index].value);
		}
	}
	return refusal_none();
}

struct refusal graph_state_take(struct task *task, const struct gg_tmd *tmd,
				struct graph_state *state)
{
	struct refusal refusal = check_absent(tmd);
	struct task *scratch = refusal.status == GG_OK ? task_take() : NULL;

	if (refusal.status != GG_OK) {
		return refusal;
	}
	if (scratch == NULL) {
		return refusal_of(GG_ERR_NO_MEMORY, 0, 0);
	}
	if (tmd_check_child(scratch, task, tmd)) {
		*state = (struct graph_state){
			.tmd = *tmd,
			.ctas = scratch->work.left,
			.rules = scratch->rules,
			.splits = gg_get(tmd->header, GG_TMD_TYPE) == GG_TASK_TYPE_GRID &&
				  scratch->rules.mode != GG_TASK_MODE_PULL &&
				  !scratch->rules.sequential,
		};
		if (state->rules.plain) {
			state->rules.kept = tmd_kept_number();
		}
	}
	refusal = scratch->failure;
	task_give(scratch);
	return refusal;
}

/* The first DISPATCH of a pass, from which the pass is estimated; NULL when it has none. */
static const struct graph_command *first_dispatch(const struct graph *graph,
						  const struct graph_pass *pass)
{
	for (uint32_t index = 0; index < pass->commands; index++) {
		const struct graph_command *command = &graph->commands[pass->first_command + index];

		if (command->op == GG_GRAPH_OP_DISPATCH) {
			return command;
		}
	}
	return NULL;
}

static uint64_t ctas_of(const struct graph_state *state, const struct graph_command *command)
{
	return command->a == 0 ? state->ctas : (uint64_t)command->a * command->b * command->c;
}

static struct graph_history_key key_of(const struct graph_image *image,
				       const struct graph_command *command)
{
	const struct graph_state *state = &image->states[command->state];

	return (struct graph_history_key){
		.context = image->context,
		.entry = gg_join(state->tmd.entry_lo, state->tmd.entry_hi),
		.ctas = ctas_of(state, command),
	};
}

static uint32_t device_units(void)
{
	return device.sms_count * device.resources.units;
}

static uint32_t units_of(const struct graph_state *state, const struct graph_command *command)
{
	const uint64_t ctas = ctas_of(state, command);

	return ctas < device_units() / state->rules.needs.units
		       ? (uint32_t)ctas * state->rules.needs.units
		       : device_units();
}

/* The time of a pass that was never seen: as many waves as its CTAs need, one if it has none. */
static __attribute__((cold, noinline)) uint32_t guess(uint64_t ctas, uint32_t units)
{
	const uint32_t wave = device.cap->timebase_hz / WAVES_A_SECOND + 1;
	const uint64_t waves = ctas * units / device_units() + 1;

	return waves < UINT32_MAX / 64 / wave ? (uint32_t)waves * wave : UINT32_MAX / 64;
}

static void expect(struct graph_image *image, struct graph_pass *pass)
{
	const struct graph_command *command = first_dispatch(&image->graph, pass);

	pass->history = GRAPH_UNKNOWN;
	if (command == NULL) {
		pass->estimate = guess(0, 0);
		return;
	}
	const struct graph_state *state = &image->states[command->state];
	const struct graph_history_key key = key_of(image, command);

	pass->estimate = graph_history_ticks(&key, &pass->history);
	if (pass->history == GRAPH_UNKNOWN) {
		pass->estimate = guess(key.ctas, state->rules.needs.units);
		image->guessed = true;
	}
	if (pass->needs[GG_GRAPH_NEED_UNITS] == 0) {
		pass->needs[GG_GRAPH_NEED_UNITS] = units_of(state, command);
	}
}

/* Checks the needs of a pass against the budgets of the graph. Units above their budget are lowered to it; any other
 * need above its budget is refused. */
static struct refusal fit(const struct gg_graph *settings, struct graph_pass *pass)
{
	for (uint32_t kind = 0; kind < GRAPH_NEEDS; kind++) {
		const uint32_t most = settings->budgets[kind];

		if (most == 0 || pass->needs[kind] <= most) {
			continue;
		}
		if (kind != GG_GRAPH_NEED_UNITS) {
			return refusal_of(GG_ERR_GRAPH_MEMORY, GG_FIELD_GRAPH_BUDGETS,
					  pass->needs[kind]);
		}
		pass->needs[kind] = most;
	}
	return refusal_none();
}

/* 0 if the launch has none. */
static uint32_t budgets_of(const struct gg_graph *settings)
{
	uint32_t limits = 0;

	for (uint32_t kind = 0; kind < GRAPH_NEEDS; kind++) {
		limits |= settings->budgets[kind];
	}
	return limits;
}

bool graph_state_holds(const struct graph_job *job, uint32_t *cursor, uint32_t budget)
{
	const struct graph *graph = &job->image->graph;

	if (job->image->guessed || budgets_of(&job->settings) != 0) {
		return false;
	}
	for (uint32_t step = 0; step < budget && *cursor < graph->pass.used; step++, (*cursor)++) {
		const struct graph_pass *pass = &graph->passes[*cursor];

		if (pass->history != GRAPH_UNKNOWN &&
		    !graph_history_holds(pass->history, pass->estimate)) {
			return false;
		}
	}
	if (*cursor >= graph->pass.used) {
		*cursor = UINT32_MAX;
	}
	return true;
}

struct refusal graph_state_estimate(struct task *task, uint32_t *cursor, uint32_t budget)
{
	const struct gg_graph *settings = &task->graph->settings;
	struct graph_image *image = task->graph->image;
	struct graph *graph = &image->graph;
	const bool limited = budgets_of(settings) != 0;

	if (*cursor == 0) {
		image->guessed = false;
	}
	for (uint32_t step = 0; step < budget && *cursor < graph->pass.used; step++, (*cursor)++) {
		struct graph_pass *pass = &graph->passes[*cursor];

		expect(image, pass);

		const struct refusal refusal = limited ? fit(settings, pass) : refusal_none();

		if (refusal.status != GG_OK) {
			return refusal;
		}
	}
	if (*cursor >= graph->pass.used) {
		*cursor = UINT32_MAX;
	}
	return refusal_none();
}

void graph_state_learn(struct graph_image *image, uint32_t number)
{
	struct graph_pass *pass = &image->graph.passes[number];
	const struct graph_command *command = first_dispatch(&image->graph, pass);

	if (command != NULL && pass->ended_at >= pass->started_at) {
		const struct graph_history_key key = key_of(image, command);

		graph_history_add(&key, pass->ended_at - pass->started_at, &pass->history);
	}
}
