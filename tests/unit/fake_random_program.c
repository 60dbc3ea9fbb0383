/* SPDX-License-Identifier: Apache-2.0 */
/* Random graph programs. */
#include "tests/unit/fake_random_program.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/graph/op.h"

#define STEPS       48u /* at most */
#define INTEGERS    5u
#define VARIABLES   10u /* 5 to 9 are resources */
#define RESOURCES   6u
#define STATES      2u
#define DEFINITIONS 3u /* at most */

static uint64_t sequence;

void fake_random_seed(uint64_t seed)
{
	sequence = seed * 0x9e3779b97f4a7c15u + 1;
}

/* xorshift64*. */
static uint32_t next_random(void)
{
	sequence ^= sequence >> 12;
	sequence ^= sequence << 25;
	sequence ^= sequence >> 27;
	return (uint32_t)(sequence * 0x2545f4914f6cdd1du >> 32);
}

uint32_t fake_random_below(uint32_t below)
{
	return (uint32_t)((uint64_t)next_random() * below >> 32);
}

/* A program while it is written. */
struct draft {
	struct gg_graph_step steps[STEPS];
	struct gg_graph_definition definitions[DEFINITIONS];
	uint32_t count;   /* steps so far */
	uint32_t defined; /* definitions so far */
	uint32_t planned; /* definitions that there will be */
	uint32_t main;    /* steps outside of definitions: jumps go there */
};

static void add(struct draft *draft, uint32_t op, const uint32_t operands[3], uint32_t imm)
{
	draft->steps[draft->count++] = (struct gg_graph_step){
		.what = gg_put(GG_GRAPH_STEP_OP, op) | gg_put(GG_GRAPH_STEP_A, operands[0]) |
			gg_put(GG_GRAPH_STEP_B, operands[1]) | gg_put(GG_GRAPH_STEP_C, operands[2]),
		.imm = imm,
	};
}

static uint32_t random_operand(uint32_t kind, uint32_t first)
{
	const uint32_t integer = fake_random_below(INTEGERS);
	const uint32_t resource = INTEGERS + fake_random_below(VARIABLES - INTEGERS);

	switch ((enum graph_operand)kind) {
	case GRAPH_OPERAND_INTEGER:
		return integer;
	case GRAPH_OPERAND_OPTION:
		return fake_random_below(2) == 0 ? GRAPH_NO_VARIABLE : integer;
	case GRAPH_OPERAND_RESOURCE:
		return resource;
	case GRAPH_OPERAND_ANY:
		return fake_random_below(VARIABLES);
	case GRAPH_OPERAND_SAME:
		return first < INTEGERS ? integer : resource;
	case GRAPH_OPERAND_BYTES:
		return fake_random_below(2) == 0 ? 4 : 8;
	case GRAPH_OPERAND_NEED:
		return fake_random_below(GRAPH_NEEDS);
	default:
		return 0;
	}
}

static uint32_t random_number(const struct draft *draft, uint32_t kind, const uint32_t operands[3])
{
	const uint32_t small = fake_random_below(12);

	switch ((enum graph_number)kind) {
	case GRAPH_NUMBER_ANY:
		return fake_random_below(8) == 0 ? next_random() : small;
	case GRAPH_NUMBER_ELSE_B:
		return operands[1] == GRAPH_NO_VARIABLE ? small : 0;
	case GRAPH_NUMBER_ELSE_C:
		return operands[2] == GRAPH_NO_VARIABLE ? small : 0;
	case GRAPH_NUMBER_WORD:
		return small * 4;
	case GRAPH_NUMBER_STEP:
		return fake_random_below(draft->main);
	case GRAPH_NUMBER_DEFINITION:
		return fake_random_below(draft->planned + (draft->planned == 0));
	case GRAPH_NUMBER_STATE:
		return fake_random_below(STATES);
	case GRAPH_NUMBER_ARGUMENT:
		return fake_random_below(FAKE_ARGUMENTS);
	case GRAPH_NUMBER_RESOURCE:
		return fake_random_below(RESOURCES - 1);
	case GRAPH_NUMBER_PASS:
		return fake_random_below(6);
	default:
		return 0;
	}
}

static void add_random(struct draft *draft, uint32_t op)
{
	const struct graph_op *const row = graph_op_row(op);
	uint32_t operands[3];

	operands[0] = random_operand(row->a, 0);
	operands[1] = random_operand(row->b, operands[0]);
	operands[2] = random_operand(row->c, operands[0]);
	add(draft, op, operands, random_number(draft, row->number, operands));
}

/* Any operation of a group up to `last`; those of commands are mostly DISPATCH. */
static uint32_t random_op(uint32_t last)
{
	uint32_t op = 1 + fake_random_below(last);

	while (graph_op_row(op)->group == GRAPH_GROUP_UNKNOWN ||
	       (op == GG_GRAPH_OP_DIV && fake_random_below(4) != 0)) {
		op = 1 + fake_random_below(last);
	}
	return op > GG_GRAPH_OP_DISPATCH && fake_random_below(4) != 0 ? GG_GRAPH_OP_DISPATCH : op;
}

static void add_definition(struct draft *draft)
{
	const uint32_t first = draft->count;
	const uint32_t others = fake_random_below(4);

	for (uint32_t i = 0; i < others; i++) {
		uint32_t op = random_op(GRAPH_OPS - 1);

		while (graph_op_row(op)->group == GRAPH_GROUP_CONTROL) {
			op = random_op(GRAPH_OPS - 1);
		}
		add_random(draft, op);
	}
	add_random(draft, fake_random_below(2) == 0 ? GG_GRAPH_OP_DISPATCH : GG_GRAPH_OP_FENCE);
	draft->definitions[draft->defined++] =
		(struct gg_graph_definition){ .first = first, .count = draft->count - first };
}

static void write_program(struct draft *draft)
{
	const uint32_t none[3] = { 0, 0, 0 };

	draft->main = VARIABLES - INTEGERS + 2 + fake_random_below(20);
	draft->planned = fake_random_below(DEFINITIONS + 1);
	for (uint32_t i = INTEGERS; i < VARIABLES; i++) {
		add(draft, GG_GRAPH_OP_RESOURCE, (const uint32_t[3]){ i, 0, 0 }, i - INTEGERS);
	}
	add_random(draft, GG_GRAPH_OP_STATE);
	while (draft->count + 1 < draft->main) {
		const uint32_t op = random_op(GRAPH_OPS - 1);

		add_random(draft, op == GG_GRAPH_OP_INVOKE && draft->planned == 0
					  ? GG_GRAPH_OP_FENCE
					  : op);
	}
	add(draft, GG_GRAPH_OP_END, none, 0);
	while (draft->defined < draft->planned) {
		add_definition(draft);
	}
}

static void *copy_of(const void *from, size_t bytes)
{
	void *const copy = malloc(bytes == 0 ? 1 : bytes);

	memcpy(copy, from, bytes);
	return copy;
}

/* A byte becomes another one: a small one, 255, or any. */
static void damage(void *table, size_t bytes)
{
	if (bytes != 0) {
		const uint32_t values[4] = { fake_random_below(16), 255, fake_random_below(64),
					     fake_random_below(256) };

		((unsigned char *)table)[fake_random_below((uint32_t)bytes)] =
			(unsigned char)values[fake_random_below(4)];
	}
}

static void make_resources(struct gg_graph_resource resources[RESOURCES])
{
	static const uint32_t kinds[RESOURCES] = {
		GG_GRAPH_RESOURCE_KIND_ARGUMENT,  GG_GRAPH_RESOURCE_KIND_FIXED,
		GG_GRAPH_RESOURCE_KIND_FIXED,     GG_GRAPH_RESOURCE_KIND_TRANSIENT,
		GG_GRAPH_RESOURCE_KIND_TRANSIENT, GG_GRAPH_RESOURCE_KIND_NONE,
	};

	for (uint32_t i = 0; i < RESOURCES; i++) {
		resources[i].kind = kinds[i];
		resources[i].bytes_lo = i + 1 == RESOURCES ? 0 : 8 * (4 - i);
	}
}

/* A step takes the place of another one. */
static void move_step(struct draft *draft)
{
	draft->steps[fake_random_below(draft->count)] =
		draft->steps[fake_random_below(draft->count)];
}

static void damage_table(struct draft *draft, struct gg_graph_resource resources[RESOURCES])
{
	switch (fake_random_below(16)) {
	case 0:
		damage(draft->definitions, draft->defined * sizeof(draft->definitions[0]));
		break;
	case 1:
		damage(resources, RESOURCES * sizeof(resources[0]));
		break;
	case 2:
	case 3:
	case 4:
		damage(draft->steps, draft->count * sizeof(draft->steps[0]));
		break;
	default:
		move_step(draft);
		break;
	}
}

struct graph_program fake_random_program(uint32_t damages)
{
	struct draft draft = { .count = 0 };
	struct gg_graph_resource resources[RESOURCES] = { 0 };
	struct gg_graph_program header = {
		.rules = 1 + fake_random_below(3),
		.variables = VARIABLES,
		.states = STATES,
		.resources = RESOURCES,
		.types = { ((1u << VARIABLES) - 1) & ~((1u << INTEGERS) - 1), 0 },
	};

	write_program(&draft);
	make_resources(resources);
	header.steps = draft.count;
	header.definitions = draft.defined;
	for (; damages != 0; damages--) {
		damage_table(&draft, resources);
	}
	return (struct graph_program){
		.header = copy_of(&header, sizeof(header)),
		.steps = copy_of(draft.steps, draft.count * sizeof(draft.steps[0])),
		.definitions =
			copy_of(draft.definitions, draft.defined * sizeof(draft.definitions[0])),
		.states = NULL,
		.resources = copy_of(resources, sizeof(resources)),
	};
}

void fake_free_program(struct graph_program *program)
{
	free((void *)(uintptr_t)program->header);
	free((void *)(uintptr_t)program->steps);
	free((void *)(uintptr_t)program->definitions);
	free((void *)(uintptr_t)program->resources);
}
