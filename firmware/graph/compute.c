/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of graph programs, and what they read from outside (S2-R25, S2-R53, S2-R100). */
#include "firmware/graph/compute.h"

#include <stddef.h>

static struct refusal wrong(enum gg_status status, uint32_t field)
{
	return refusal_of(status, field, 0);
}

/* The one quotient that does not fit, -2^31 by -1, is refused as well: C does not define its result. */
static bool is_divisible(uint32_t b, uint32_t c)
{
	return c != 0 && !(b == 0x80000000u && c == 0xffffffffu);
}

static struct refusal divide(uint32_t op, uint32_t b, uint32_t c, uint32_t *result)
{
	if (!is_divisible(b, c)) {
		return wrong(GG_ERR_GRAPH_DATA, GG_FIELD_GRAPH_STEP_C);
	}
	*result = (uint32_t)(op == GG_GRAPH_OP_DIV ? (int32_t)b / (int32_t)c
						   : (int32_t)b % (int32_t)c);
	return refusal_none();
}

/* ADD to MAX, without the divisions. */
static uint32_t arithmetic(uint32_t op, uint32_t b, uint32_t c)
{
	switch (op) {
	case GG_GRAPH_OP_ADD:
		return b + c;
	case GG_GRAPH_OP_SUB:
		return b - c;
	case GG_GRAPH_OP_MUL:
		return b * c;
	case GG_GRAPH_OP_AND:
		return b & c;
	case GG_GRAPH_OP_OR:
		return b | c;
	case GG_GRAPH_OP_XOR:
		return b ^ c;
	case GG_GRAPH_OP_SHL:
		return b << (c & 31);
	case GG_GRAPH_OP_SHR:
		return (uint32_t)((int32_t)b >> (c & 31));
	case GG_GRAPH_OP_MIN:
		return (int32_t)b < (int32_t)c ? b : c;
	default: /* MAX */
		return (int32_t)b > (int32_t)c ? b : c;
	}
}

static uint64_t address_of(const struct graph_machine *machine, const struct gg_graph_resource *one)
{
	const uint64_t address = gg_join(one->address_lo, one->address_hi);

	return one->kind == GG_GRAPH_RESOURCE_KIND_ARGUMENT
		       ? address + machine->outside->arguments[one->argument]
		       : address;
}

/* The sum of address and offset may wrap around. Then `word` finds that the context does not own the address. */
static struct refusal load(const struct graph_machine *machine, const struct gg_graph_step *step,
			   uint32_t *result)
{
	const uint32_t number = graph_resource(machine, gg_get(step->what, GG_GRAPH_STEP_B));
	const uint32_t offset =
		graph_integer(machine, gg_get(step->what, GG_GRAPH_STEP_C), 0) + step->imm;
	const struct gg_graph_resource *one;
	const uint32_t *word;
	uint64_t bytes;

	if (number == GRAPH_NONE) {
		return wrong(GG_ERR_GRAPH_RESOURCE, GG_FIELD_GRAPH_STEP_B);
	}
	one = &machine->program->resources[number];
	bytes = gg_join(one->bytes_lo, one->bytes_hi);
	if (one->kind == GG_GRAPH_RESOURCE_KIND_TRANSIENT) {
		return wrong(GG_ERR_GRAPH_RESOURCE, GG_FIELD_GRAPH_STEP_B);
	}
	if (bytes < 4 || offset > bytes - 4 || (address_of(machine, one) + offset) % 4 != 0) {
		return wrong(GG_ERR_GRAPH_DATA, GG_FIELD_GRAPH_STEP_IMM);
	}
	word = machine->outside->word(machine->outside->context, address_of(machine, one) + offset);
	if (word == NULL) {
		return wrong(GG_ERR_GRAPH_DATA, GG_FIELD_GRAPH_STEP_B);
	}
	*result = *word;
	return refusal_none();
}

/* Variables hold numbers of resources + 1, and never the number of a resource that is not used. */
static struct refusal index_resource(const struct graph_program *program, uint32_t number,
				     uint32_t *result)
{
	if (number >= program->header->resources ||
	    program->resources[number].kind == GG_GRAPH_RESOURCE_KIND_NONE) {
		return wrong(GG_ERR_GRAPH_RESOURCE, GG_FIELD_GRAPH_STEP_B);
	}
	*result = number + 1;
	return refusal_none();
}

/* Of all operands only c of LOAD may be left out. */
struct refusal graph_compute(struct graph_machine *machine, const struct gg_graph_step *step)
{
	const uint32_t op = gg_get(step->what, GG_GRAPH_STEP_OP);
	const uint32_t b = machine->variables[gg_get(step->what, GG_GRAPH_STEP_B)];
	const uint32_t c = graph_integer(machine, gg_get(step->what, GG_GRAPH_STEP_C), 0);
	uint32_t *const a = &machine->variables[gg_get(step->what, GG_GRAPH_STEP_A)];

	switch (op) {
	case GG_GRAPH_OP_SET:
		*a = step->imm;
		break;
	case GG_GRAPH_OP_MOVE:
		*a = b;
		break;
	case GG_GRAPH_OP_ADDI:
		*a = b + step->imm;
		break;
	case GG_GRAPH_OP_DIV:
	case GG_GRAPH_OP_REM:
		return divide(op, b, c, a);
	case GG_GRAPH_OP_ARGUMENT:
		*a = gg_low(machine->outside->arguments[step->imm]);
		break;
	case GG_GRAPH_OP_LOAD:
		return load(machine, step, a);
	case GG_GRAPH_OP_RESOURCE:
		*a = step->imm + 1;
		break;
	case GG_GRAPH_OP_INDEX:
		return index_resource(machine->program, step->imm + b, a);
	case GG_GRAPH_OP_NEXT:
		*a = machine->graph->pass.used;
		break;
	default:
		*a = arithmetic(op, b, c);
		break;
	}
	return refusal_none();
}
