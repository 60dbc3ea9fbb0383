/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of graph programs that make passes: declarations, what commands need, commands. */
#include "firmware/graph/construct.h"

#include "firmware/graph/compute.h"
#include "firmware/graph/draft_end.h"
#include "firmware/graph/op.h"

/* The caller, who knows the number of the step, fills in the value. */
static struct refusal wrong(enum gg_status status, uint32_t field)
{
	return refusal_of(status, field, 0);
}

/* Arguments and a grid that no DISPATCH took would go to another pass, which need not declare their
 * resources. */
struct refusal graph_end_pass(struct graph_machine *machine)
{
	if (machine->grid[0] != 0 || machine->graph->value.used != machine->draft.first_value) {
		return wrong(GG_ERR_GRAPH_STEP, GG_FIELD_GRAPH_STEP_OP);
	}
	return graph_draft_end(&machine->draft, (uint16_t)machine->definition);
}

/* All declarations except READ, WRITE and SHARE. */
static struct refusal restrain(struct graph_machine *machine, uint32_t op,
			       const struct gg_graph_step *step)
{
	const uint32_t a = gg_get(step->what, GG_GRAPH_STEP_A);
	const uint32_t b = gg_get(step->what, GG_GRAPH_STEP_B);

	switch (op) {
	case GG_GRAPH_OP_AFTER:
		return graph_draft_after(&machine->draft, machine->variables[a]);
	case GG_GRAPH_OP_AFTERI:
		return graph_draft_after(&machine->draft, step->imm);
	case GG_GRAPH_OP_NEED:
		graph_draft_need(&machine->draft,
				 (enum gg_graph_need)gg_get(step->what, GG_GRAPH_STEP_C),
				 machine->variables[b]);
		return refusal_none();
	default: /* SIZE */
		return graph_draft_size(&machine->draft, graph_resource(machine, a),
					machine->variables[b]);
	}
}

/* A TMD holds 32 bits of x, and 16 of y and z. */
static struct refusal set_grid(struct graph_machine *machine, uint32_t what)
{
	static const uint32_t masks[3] = { GG_GRAPH_STEP_A, GG_GRAPH_STEP_B, GG_GRAPH_STEP_C };
	static const uint32_t fields[3] = { GG_FIELD_GRAPH_STEP_A, GG_FIELD_GRAPH_STEP_B,
					    GG_FIELD_GRAPH_STEP_C };

	for (uint32_t i = 0; i < 3; i++) {
		const uint32_t size = graph_integer(machine, gg_get(what, masks[i]), 1);

		if (size == 0) {
			return wrong(GG_ERR_GRID_ZERO, fields[i]);
		}
		if (i != 0 && size > UINT16_MAX) {
			return wrong(GG_ERR_GRID_OVERFLOW, fields[i]);
		}
		machine->grid[i] = size;
	}
	return refusal_none();
}

/* An argument that is a number: VALUE and CONST. */
static struct refusal add_number(struct graph_machine *machine, uint32_t what, uint32_t number)
{
	const struct graph_value value = { .op = GG_GRAPH_OP_CONST,
					   .bytes = (uint8_t)gg_get(what, GG_GRAPH_STEP_C),
					   .number = number };

	return graph_draft_value(&machine->draft, &value);
}

static struct refusal add_parameter(struct graph_machine *machine, uint32_t what, uint32_t from)
{
	const struct graph_value value = { .op = GG_GRAPH_OP_PARAMETER,
					   .bytes = (uint8_t)gg_get(what, GG_GRAPH_STEP_C),
					   .from = (uint16_t)from };

	return graph_draft_value(&machine->draft, &value);
}

static struct refusal add_address(struct graph_machine *machine, uint32_t what, uint32_t offset)
{
	const uint32_t a = gg_get(what, GG_GRAPH_STEP_A);
	const struct graph_value value = {
		.op = GG_GRAPH_OP_ADDRESS,
		.bytes = machine->graph->pointer_bytes,
		.number = graph_resource(machine, a),
		.offset = graph_integer(machine, gg_get(what, GG_GRAPH_STEP_B), offset),
	};

	return graph_draft_value(&machine->draft, &value);
}

/* A grid holds for one DISPATCH only. */
static void dispatch(struct graph_machine *machine, struct graph_command *command)
{
	command->state = (uint16_t)(machine->state - 1);
	command->a = machine->grid[0];
	command->b = machine->grid[1];
	command->c = machine->grid[2];
	machine->grid[0] = 0;
	machine->grid[1] = 0;
	machine->grid[2] = 0;
}

static struct refusal add_command(struct graph_machine *machine, uint32_t op,
				  const struct gg_graph_step *step)
{
	const uint32_t a = gg_get(step->what, GG_GRAPH_STEP_A);
	const uint32_t b = gg_get(step->what, GG_GRAPH_STEP_B);
	const uint32_t c = gg_get(step->what, GG_GRAPH_STEP_C);
	struct graph_command command = { .op = (uint8_t)op };

	if (op == GG_GRAPH_OP_DISPATCH) {
		if (machine->state == 0) {
			return wrong(GG_ERR_GRAPH_STEP, GG_FIELD_GRAPH_STEP_OP);
		}
		dispatch(machine, &command);
	} else if (op != GG_GRAPH_OP_FENCE) {
		command.a = graph_resource(machine, a);
		command.b =
			op == GG_GRAPH_OP_COPY ? graph_resource(machine, b) : machine->variables[b];
		command.c =
			op == GG_GRAPH_OP_SIGNAL ? step->imm : graph_integer(machine, c, step->imm);
	}
	return graph_draft_command(&machine->draft, &command);
}

/* Outside of definitions a block ends with its N-th command (S2-R47, S2-R50). */
static struct refusal perform(struct graph_machine *machine, uint32_t op,
			      const struct gg_graph_step *step)
{
	const struct graph_program *const program = machine->program;
	struct refusal refusal;

	machine->draft.step = (uint32_t)(step - program->steps);
	refusal = add_command(machine, op, step);
	if (refusal.status == GG_OK && machine->definition == 0 &&
	    graph_draft_commands(&machine->draft) ==
		    gg_get(program->header->rules, GG_GRAPH_PROGRAM_BLOCK_COMMANDS)) {
		refusal = graph_end_pass(machine);
	}
	return refusal;
}

/* END is a control step, although its number is in another group. */
static bool is_control(uint32_t op)
{
	return op == GG_GRAPH_OP_END || op / 8 == GRAPH_GROUP_CONTROL;
}

/* Steps that are not control steps and that most passes have only once or not at all. */
static struct refusal execute_other(struct graph_machine *machine, uint32_t op,
				    const struct gg_graph_step *step)
{
	switch (op / 8) {
	case GRAPH_GROUP_DECLARE:
		return restrain(machine, op, step);
	case GRAPH_GROUP_PREPARE: /* GRID */
		return set_grid(machine, step->what);
	case GRAPH_GROUP_COMMAND:
		return perform(machine, op, step);
	default:
		return graph_compute(machine, step);
	}
}

const struct gg_graph_step *graph_go_straight(struct graph_machine *machine,
					      const struct gg_graph_step *step,
					      const struct gg_graph_step *stop,
					      struct refusal *refusal)
{
	for (; step != stop; step++) {
		const uint32_t op = gg_get(step->what, GG_GRAPH_STEP_OP);
		const uint32_t a = gg_get(step->what, GG_GRAPH_STEP_A);
		struct refusal result;

		switch ((enum gg_graph_op)op) {
		case GG_GRAPH_OP_READ:
		case GG_GRAPH_OP_WRITE:
		case GG_GRAPH_OP_SHARE:
			result = graph_draft_declare(&machine->draft, (enum gg_graph_op)op,
						     graph_resource(machine, a));
			break;
		case GG_GRAPH_OP_VALUE:
			result = add_number(machine, step->what, machine->variables[a]);
			break;
		case GG_GRAPH_OP_CONST:
			result = add_number(machine, step->what, step->imm);
			break;
		case GG_GRAPH_OP_PARAMETER:
			result = add_parameter(machine, step->what, step->imm);
			break;
		case GG_GRAPH_OP_ADDRESS:
			result = add_address(machine, step->what, step->imm);
			break;
		case GG_GRAPH_OP_STATE:
			machine->state = step->imm + 1;
			continue;
		default:
			if (is_control(op)) {
				return step;
			}
			result = execute_other(machine, op, step);
			break;
		}
		if (result.status != GG_OK) {
			*refusal = result;
			break;
		}
	}
	return step;
}
