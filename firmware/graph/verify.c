/* SPDX-License-Identifier: Apache-2.0 */
/* The cursor holds all that is carried from one piece to the next: which entry is next, counted
 * through definitions, resources and steps; and the pass commands of the definition so far. */
#include "firmware/graph/verify.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/graph/op.h"

#define CURSOR_SHIFT 20u                         /* entries are below 2^17, commands at most 16 */
#define CURSOR_MASK  ((1u << CURSOR_SHIFT) - 1u) /* number of the entry */

/* A verification that is under way. */
struct check {
	const struct graph_program *program;
	uint32_t arguments;  /* of the graph */
	uint32_t definition; /* first definition that ends after the step; or how many there are */
	uint32_t commands;   /* pass commands of that definition before the step */
	bool refers;         /* the step was such that references() may follow */
};

/* First definition that ends after a step: the one that holds it, or else the next one. They are in
 * order. */
static uint32_t definition_after(const struct graph_program *program, uint32_t step)
{
	const struct gg_graph_definition *const definitions = program->definitions;
	uint32_t low = 0;
	uint32_t high = program->header->definitions;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;

		if (definitions[middle].first + definitions[middle].count > step) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	return low;
}

static bool is_inside(const struct graph_program *program, uint32_t definition, uint32_t step)
{
	return definition < program->header->definitions &&
	       step >= program->definitions[definition].first;
}

/* Definitions start behind step 0, where the program begins, and behind the definition before. */
static struct refusal check_definition(const struct graph_program *program, uint32_t number)
{
	const struct gg_graph_definition *const one = &program->definitions[number];
	const uint32_t steps = program->header->steps;
	const uint32_t least = number == 0 ? 1 : one[-1].first + one[-1].count;

	if (one->first < least || one->first >= steps) {
		return refusal_of(GG_ERR_GRAPH_FORMAT, GG_FIELD_GRAPH_DEFINITION_FIRST, number);
	}
	if (one->count == 0 || one->count > steps - one->first) {
		return refusal_of(GG_ERR_GRAPH_FORMAT, GG_FIELD_GRAPH_DEFINITION_COUNT, number);
	}
	if (one->definition_reserved_c != 0) {
		return refusal_of(GG_ERR_GRAPH_FORMAT,
				  GG_FIELD_GRAPH_DEFINITION_DEFINITION_RESERVED_C, number);
	}
	return refusal_none();
}

/* Which words of a resource mean something depends on its kind; the others are zero. */
static struct refusal check_resource(const struct gg_graph_resource *one, uint32_t number,
				     uint32_t arguments)
{
	const bool is_argument = one->kind == GG_GRAPH_RESOURCE_KIND_ARGUMENT;
	const bool is_placed = is_argument || one->kind == GG_GRAPH_RESOURCE_KIND_FIXED;
	const uint64_t bytes = gg_join(one->bytes_lo, one->bytes_hi);
	uint32_t field = 0;

	if (one->kind > GG_GRAPH_RESOURCE_KIND_TRANSIENT) {
		field = GG_FIELD_GRAPH_RESOURCE_KIND;
	} else if (is_argument ? one->argument >= arguments : one->argument != 0) {
		field = GG_FIELD_GRAPH_RESOURCE_ARGUMENT;
	} else if (!is_placed && gg_join(one->address_lo, one->address_hi) != 0) {
		field = GG_FIELD_GRAPH_RESOURCE_ADDRESS;
	} else if (is_placed ? bytes == 0
			     : one->kind == GG_GRAPH_RESOURCE_KIND_NONE && bytes != 0) {
		field = GG_FIELD_GRAPH_RESOURCE_BYTES;
	}
	return field == 0 ? refusal_none() : refusal_of(GG_ERR_GRAPH_FORMAT, field, number);
}

static bool is_resource(const struct gg_graph_program *header, uint32_t variable)
{
	return (header->types[variable / 32] >> variable % 32 & 1u) != 0;
}

/* Operands that are not variables. */
static enum gg_status check_constant(enum graph_operand kind, uint32_t value)
{
	const bool good = kind == GRAPH_OPERAND_BYTES  ? value == 4 || value == 8
			  : kind == GRAPH_OPERAND_NEED ? value < GRAPH_NEEDS
						       : value == 0;

	return good ? GG_OK : GG_ERR_GRAPH_STEP;
}

/* @param first  Operand a, a variable where an operand is SAME. */
static enum gg_status check_operand(const struct gg_graph_program *header, enum graph_operand kind,
				    uint32_t value, uint32_t first)
{
	bool wants_resource = kind == GRAPH_OPERAND_RESOURCE;

	if (kind == GRAPH_OPERAND_NONE || kind == GRAPH_OPERAND_BYTES ||
	    kind == GRAPH_OPERAND_NEED) {
		return check_constant(kind, value);
	}
	if (kind == GRAPH_OPERAND_OPTION && value == GRAPH_NO_VARIABLE) {
		return GG_OK;
	}
	if (value >= header->variables) {
		return GG_ERR_GRAPH_STEP;
	}
	if (kind == GRAPH_OPERAND_ANY || kind == GRAPH_OPERAND_SAME) {
		wants_resource = is_resource(header, first);
	}
	return is_resource(header, value) == wants_resource ? GG_OK : GG_ERR_GRAPH_TYPE;
}

/* Whether b and c are to be nothing, and are: mostly, and then they need no look of their own. */
static bool has_only_a(const struct graph_op *row, uint32_t what)
{
	return (row->b | row->c) == GRAPH_OPERAND_NONE &&
	       (what & (GG_GRAPH_STEP_B | GG_GRAPH_STEP_C)) == 0;
}

static struct refusal check_operands(const struct gg_graph_program *header,
				     const struct graph_op *row, uint32_t what, uint32_t number)
{
	const uint32_t a = gg_get(what, GG_GRAPH_STEP_A);
	enum gg_status status = check_operand(header, row->a, a, a);
	uint32_t field = GG_FIELD_GRAPH_STEP_A;

	if (status == GG_OK && has_only_a(row, what)) {
		return refusal_none();
	}
	if (status == GG_OK) {
		field = GG_FIELD_GRAPH_STEP_B;
		status = check_operand(header, row->b, gg_get(what, GG_GRAPH_STEP_B), a);
	}
	if (status == GG_OK) {
		field = GG_FIELD_GRAPH_STEP_C;
		status = check_operand(header, row->c, gg_get(what, GG_GRAPH_STEP_C), a);
	}
	return status == GG_OK ? refusal_none() : refusal_of(status, field, number);
}

/* Whether RESOURCE may name this one. */
static bool is_named(const struct graph_program *program, uint32_t number)
{
	return number < program->header->resources &&
	       program->resources[number].kind != GG_GRAPH_RESOURCE_KIND_NONE;
}

/* `imm` is checked as a number of something, or it may be anything under a condition. */
static bool is_number(const struct check *check, enum graph_number kind,
		      const struct gg_graph_step *step)
{
	const struct gg_graph_program *const header = check->program->header;
	const uint32_t imm = step->imm;

	switch (kind) {
	case GRAPH_NUMBER_NONE:
		return imm == 0;
	case GRAPH_NUMBER_ANY:
		return true;
	case GRAPH_NUMBER_ELSE_B:
		return imm == 0 || gg_get(step->what, GG_GRAPH_STEP_B) == GRAPH_NO_VARIABLE;
	case GRAPH_NUMBER_ELSE_C:
		return imm == 0 || gg_get(step->what, GG_GRAPH_STEP_C) == GRAPH_NO_VARIABLE;
	case GRAPH_NUMBER_WORD:
		return imm % 4 == 0;
	case GRAPH_NUMBER_STEP:
		return imm < header->steps;
	case GRAPH_NUMBER_DEFINITION:
		return imm < header->definitions;
	case GRAPH_NUMBER_STATE:
		return imm < header->states;
	case GRAPH_NUMBER_ARGUMENT:
		return imm < check->arguments;
	case GRAPH_NUMBER_RESOURCE:
		return is_named(check->program, imm);
	case GRAPH_NUMBER_PASS:
		return imm < GRAPH_PASSES;
	}
	return false;
}

static struct refusal check_number(const struct check *check, const struct graph_op *row,
				   const struct gg_graph_step *step, uint32_t number)
{
	const struct graph_program *const program = check->program;
	const bool is_jump = row->number == GRAPH_NUMBER_STEP;

	if (!is_number(check, (enum graph_number)row->number, step) ||
	    (is_jump && is_inside(program, definition_after(program, step->imm), step->imm))) {
		return refusal_of(is_jump ? GG_ERR_GRAPH_JUMP : GG_ERR_GRAPH_STEP,
				  GG_FIELD_GRAPH_STEP_IMM, number);
	}
	return refusal_none();
}

/* A step of a definition. It may not be control flow. Its pass commands are counted up to the definition's last
 * step. */
static struct refusal check_inside(struct check *check, const struct graph_op *row, uint32_t number)
{
	const struct gg_graph_definition *const one =
		&check->program->definitions[check->definition];

	if (row->group == GRAPH_GROUP_CONTROL) {
		return refusal_of(GG_ERR_GRAPH_STEP, GG_FIELD_GRAPH_STEP_OP, number);
	}
	check->commands += row->group == GRAPH_GROUP_COMMAND ? 1 : 0;
	if (check->commands > GRAPH_BLOCK_COMMANDS) {
		return refusal_of(GG_ERR_GRAPH_TOO_LARGE, GG_FIELD_GRAPH_STEP_OP, number);
	}
	if (number + 1 == one->first + one->count) {
		if (check->commands == 0) {
			return refusal_of(GG_ERR_GRAPH_FORMAT, GG_FIELD_GRAPH_DEFINITION_COUNT,
					  check->definition);
		}
		check->commands = 0;
		check->definition++;
	}
	return refusal_none();
}

/* A step outside of definitions. If it goes on to the next step, that one must be outside, too. */
static struct refusal check_outside(const struct check *check, uint32_t op, uint32_t number)
{
	const struct graph_program *const program = check->program;

	if (op != GG_GRAPH_OP_END && op != GG_GRAPH_OP_JUMP &&
	    (number + 1 == program->header->steps ||
	     is_inside(program, check->definition, number + 1))) {
		return refusal_of(GG_ERR_GRAPH_JUMP, GG_FIELD_GRAPH_STEP_OP, number);
	}
	return refusal_none();
}

static struct refusal check_step(struct check *check, uint32_t number)
{
	const struct graph_program *const program = check->program;
	const struct gg_graph_step *const step = &program->steps[number];
	const uint32_t op = gg_get(step->what, GG_GRAPH_STEP_OP);
	const struct graph_op *const row = graph_op_row(op);
	struct refusal refusal;

	if (row->group == GRAPH_GROUP_UNKNOWN) {
		return refusal_of(GG_ERR_GRAPH_STEP, GG_FIELD_GRAPH_STEP_OP, number);
	}
	refusal = check_operands(program->header, row, step->what, number);
	if (refusal.status == GG_OK) {
		refusal = check_number(check, row, step, number);
	}
	if (refusal.status != GG_OK) {
		return refusal;
	}
	check->refers = op == GG_GRAPH_OP_RESOURCE || row->group == GRAPH_GROUP_DECLARE;
	return is_inside(program, check->definition, number) ? check_inside(check, row, number)
							     : check_outside(check, op, number);
}

/* Entries are checked in this order, so steps may rely on definitions and resources. */
static struct refusal check_entry(struct check *check, uint32_t entry)
{
	const struct gg_graph_program *const header = check->program->header;
	const uint32_t resource = entry - header->definitions;

	if (entry < header->definitions) {
		return check_definition(check->program, entry);
	}
	if (resource < header->resources) {
		return check_resource(&check->program->resources[resource], resource,
				      check->arguments);
	}
	return check_step(check, resource - header->resources);
}

/* Whether a step names a resource, or declares one, as it should. */
static inline bool is_reference(const struct graph_program *program,
				const struct gg_graph_step *step)
{
	const uint32_t op = gg_get(step->what, GG_GRAPH_STEP_OP);
	const uint32_t variable = step->what >> 8; /* a; b and c are 0, or it is no variable */

	if (variable >= program->header->variables || !is_resource(program->header, variable)) {
		return false;
	}
	return op == GG_GRAPH_OP_RESOURCE
		       ? is_named(program, step->imm)
		       : op >= GG_GRAPH_OP_READ && op <= GG_GRAPH_OP_SHARE && step->imm == 0;
}

/* How many steps, from one on and at most so many, are such references that have no definition behind them. Most steps are: an edge of
 * the graph is one or two, for which the table of operations would cost five times as much. */
static __attribute__((noinline)) uint32_t
references(const struct graph_program *program, uint32_t definition, uint32_t number, uint32_t most)
{
	const struct gg_graph_program *const header = program->header;
	const uint32_t end = definition < header->definitions
				     ? program->definitions[definition].first
				     : header->steps;
	uint32_t count = 0;

	while (count < most && number + count + 1 < end &&
	       is_reference(program, &program->steps[number + count])) {
		count++;
	}
	return count;
}

struct refusal graph_code_verify(const struct graph_program *program, uint32_t arguments,
				 uint32_t *cursor, uint32_t budget)
{
	const struct gg_graph_program *const header = program->header;
	const uint32_t before = header->definitions + header->resources;
	const uint32_t all = before + header->steps;
	struct check check = { .program = program, .arguments = arguments };
	struct refusal refusal = refusal_none();
	uint32_t entry = *cursor & CURSOR_MASK;

	if (*cursor == UINT32_MAX) {
		return refusal;
	}
	check.commands = *cursor >> CURSOR_SHIFT;
	check.definition = entry < before ? 0 : definition_after(program, entry - before);
	while (entry != all && budget != 0 && refusal.status == GG_OK) {
		uint32_t count =
			check.refers ? references(program, check.definition, entry - before, budget)
				     : 0;

		check.refers = false;
		if (count == 0) {
			refusal = check_entry(&check, entry);
			count = 1;
		}
		entry += count;
		budget -= count;
	}
	*cursor = entry == all ? UINT32_MAX : entry | check.commands << CURSOR_SHIFT;
	return refusal;
}
