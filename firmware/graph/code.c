/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow of verified graph programs (S2-R8, S2-R41). Steps between two control steps are executed in one
 * stretch, which ends with the definition or with the steps that may be executed now, whichever comes first. */
#include "firmware/graph/code.h"

#include "firmware/abi/field.h"
#include "firmware/graph/construct.h"

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static bool is_taken(const struct graph_machine *machine, uint32_t op, uint32_t what)
{
	const uint32_t a = machine->variables[gg_get(what, GG_GRAPH_STEP_A)];
	const uint32_t b = machine->variables[gg_get(what, GG_GRAPH_STEP_B)];

	switch (op) {
	case GG_GRAPH_OP_JEQ:
		return a == b;
	case GG_GRAPH_OP_JNE:
		return a != b;
	case GG_GRAPH_OP_JLT:
		return (int32_t)a < (int32_t)b;
	case GG_GRAPH_OP_JGE:
		return (int32_t)a >= (int32_t)b;
	default: /* JUMP */
		return true;
	}
}

/* A block that has commands becomes a pass here, though it has fewer than N of them (S2-Q9). */
static struct refusal end_block(struct graph_machine *machine)
{
	machine->draft.step = machine->pc;
	return graph_draft_commands(&machine->draft) == 0 ? refusal_none()
							  : graph_end_pass(machine);
}

static struct refusal end_program(struct graph_machine *machine)
{
	machine->over = true;
	return end_block(machine);
}

static struct refusal invoke(struct graph_machine *machine, uint32_t number)
{
	const struct gg_graph_definition *const one = &machine->program->definitions[number];
	const struct refusal refusal = end_block(machine);

	if (refusal.status == GG_OK) {
		machine->back = machine->pc + 1;
		machine->pc = one->first;
		machine->until = one->first + one->count;
		machine->definition = number + 1;
	}
	return refusal;
}

/* Execute the control step at `pc`. */
static struct refusal turn(struct graph_machine *machine)
{
	const struct gg_graph_step *const step = &machine->program->steps[machine->pc];
	const uint32_t op = gg_get(step->what, GG_GRAPH_STEP_OP);

	if (op == GG_GRAPH_OP_END) {
		return end_program(machine);
	}
	if (op == GG_GRAPH_OP_INVOKE) {
		return invoke(machine, step->imm);
	}
	machine->pc = is_taken(machine, op, step->what) ? step->imm : machine->pc + 1;
	return refusal_none();
}

/* The definition has come to its end: its pass is made, and the program goes on behind INVOKE. */
static struct refusal leave(struct graph_machine *machine)
{
	struct refusal refusal;

	machine->draft.step = machine->until - 1;
	refusal = graph_end_pass(machine);
	if (refusal.status == GG_OK) {
		machine->pc = machine->back;
		machine->until = 0;
		machine->definition = 0;
	} else {
		machine->pc = machine->until - 1;
	}
	return refusal;
}

/* Execute up to and including the next control step, or up to the end of the definition, but at most `left` steps
 * (not 0), which is counted down. After a refusal `pc` is at the step that was refused. */
static struct refusal go(struct graph_machine *machine, uint32_t *left)
{
	const struct graph_program *const program = machine->program;
	const uint32_t end = machine->until != 0 ? machine->until : program->header->steps;
	const uint32_t most = least(*left, end - machine->pc);
	const struct gg_graph_step *const first = &program->steps[machine->pc];
	struct refusal refusal = refusal_none();
	const uint32_t count =
		(uint32_t)(graph_go_straight(machine, first, first + most, &refusal) - first);

	machine->pc += count;
	*left -= count;
	if (refusal.status == GG_OK && count != most) {
		*left -= 1;
		refusal = turn(machine);
	} else if (refusal.status == GG_OK && machine->pc == machine->until) {
		refusal = leave(machine);
	}
	return refusal;
}

void graph_code_begin(struct graph_machine *machine, const struct graph_program *program,
		      const struct graph_outside *outside, struct graph *graph)
{
	*machine = (struct graph_machine){ .program = program, .outside = outside, .graph = graph };
	graph_draft_begin(&machine->draft, graph);
}

struct refusal graph_code_run(struct graph_machine *machine, uint32_t steps)
{
	const uint32_t asked = machine->outside->step_budget;
	const uint32_t budget = asked != 0 ? asked : GRAPH_STEP_BUDGET;
	const uint32_t most = least(steps, budget - machine->graph->steps);
	struct refusal refusal = refusal_none();
	uint32_t left = most;

	while (left != 0 && !machine->over && refusal.status == GG_OK) {
		refusal = go(machine, &left);
	}
	machine->graph->steps += most - left;
	if (refusal.status != GG_OK) {
		refusal.value = machine->pc;
	} else if (!machine->over && machine->graph->steps == budget) {
		refusal = refusal_of(GG_ERR_GRAPH_BUDGET, GG_FIELD_GRAPH_STEP_BUDGET, machine->pc);
	}
	return refusal;
}
