/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Graph programs for tests: written step by step, opened, verified, executed; and what graph came
 * of it.
 */
#ifndef TESTS_UNIT_FAKE_PROGRAM_H
#define TESTS_UNIT_FAKE_PROGRAM_H

#include "firmware/graph/code.h"

#define FAKE_STEPS       96u
#define FAKE_DEFINITIONS 4u
#define FAKE_STATES      3u
#define FAKE_RESOURCES   8u
#define FAKE_INTEGERS    8u  /* variables 0 to 7 */
#define FAKE_VARIABLES   16u /* 8 to 15 are resources */
#define FAKE_BYTES       64u /* of each resource */
#define FAKE_TRANSIENT \
	6u /* resource: a transient; 7 is of kind NONE, 0 is argument 0, others are fixed */
#define NONE      GRAPH_NO_VARIABLE
#define R(number) (FAKE_INTEGERS + (number)) /* variable that fake_name_resources() assigns */

/* A program and its tables, in one piece. */
struct fake_program {
	struct gg_graph_program header;
	struct gg_graph_step steps[FAKE_STEPS];
	struct gg_graph_definition definitions[FAKE_DEFINITIONS];
	struct gg_tmd states[FAKE_STATES];
	struct gg_graph_resource resources[FAKE_RESOURCES];
};

/* What fake_make() made, and with what. */
struct fake_made {
	struct graph *graph;            /* the graph */
	struct graph_program program;   /* as opened */
	struct graph_machine machine;   /* as it ended */
	struct graph_outside outside;   /* `arguments` may be set before; by default there are 2 */
	uint32_t words[FAKE_BYTES / 4]; /* what LOAD sees at FAKE_BASE; nothing else is there */
	uint64_t arguments[2];          /* default arguments: FAKE_BASE, 7 */
	uint32_t piece;                 /* steps of a piece; not 0 */
};
extern struct fake_made made;

#define FAKE_BASE 0x80001000u

/* An empty program: N is 1. Also resets `made`. */
void fake_begin(struct fake_program *program);

/* Add a step; its number. */
uint32_t fake_step(struct fake_program *program, enum gg_graph_op op, uint32_t a, uint32_t b,
		   uint32_t c, uint32_t imm);

/* Add steps that assign resources 0 to count - 1 to variables R(0)…. */
void fake_name_resources(struct fake_program *program, uint32_t count);

/* Add READ of R(from), WRITE of R(to), DISPATCH. */
void fake_pass(struct fake_program *program, uint32_t from, uint32_t to);

/* Make the steps from `first` on a definition; its number. */
uint32_t fake_define(struct fake_program *program, uint32_t first);

/* Replace `imm` of a step by the number of the next one. */
void fake_land(struct fake_program *program, uint32_t step);

/* Open and verify in pieces of `budget`. */
struct refusal fake_verify(const struct fake_program *program, uint32_t budget);

/* Open, verify, execute in pieces of made.piece, link; the first refusal. */
struct refusal fake_make(const struct fake_program *program);

/* fake_make(), which must succeed. */
void fake_make_well(const struct fake_program *program);

/* Whether a pass of made.graph reads, or writes, a resource. */
bool fake_reads(uint32_t pass, uint32_t resource);
bool fake_writes(uint32_t pass, uint32_t resource);

/* Command of a pass of made.graph. */
const struct graph_command *fake_command(uint32_t pass, uint32_t command);

/* Argument of a command of made.graph. */
const struct graph_value *fake_value(const struct graph_command *command, uint32_t value);

/* Fails unless it is this refusal. */
void fake_assert(struct refusal refusal, enum gg_status status, uint32_t field, uint64_t value);

#endif /* TESTS_UNIT_FAKE_PROGRAM_H */
