/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Graph programs (S2-R1, S2-R2, S2-R40, S2-R41): opened (code_open.h), verified (verify.h) and executed, each in bounded
 * pieces.
 *
 * Steps are of the groups and forms of op.h. Format A (S2-R19): INVOKE makes a pass from a
 * definition, whose formal parameters are variables that the program sets before. Format B
 * (S2-R26): outside of definitions a pass, called a block, ends with its N-th command; INVOKE and
 * END also end one that has commands. Jumps do not. What is declared, and the arguments and the
 * grid that are prepared, go to the pass of the next command that is executed, and to no other;
 * STATE holds until it is changed, also across passes and definitions (S2-Q9).
 *
 * Verification is complete: a program that passes it cannot leave its tables, whatever it computes.
 * Left to run time is what depends on values: a resource variable that is not assigned; INDEX past
 * the table, or of a resource that is not used; division by zero, or of -2^31 by -1; LOAD outside
 * of its resource, not aligned, or of a transient; DISPATCH without STATE; a GRID of no CTAs, or of
 * more than a TMD can say; arguments that no DISPATCH takes; the budget of steps; and what draft.h
 * and draft_end.h check.
 *
 * Refusals name a field: of steps GG_FIELD_GRAPH_STEP_…, and the value is the step's number; of
 * definitions and resources GG_FIELD_GRAPH_DEFINITION_… and _RESOURCE_…, and the value is the
 * number of the entry; of the header GG_FIELD_GRAPH_PROGRAM_…, and the value is that of the field.
 */
#ifndef FIRMWARE_GRAPH_CODE_H
#define FIRMWARE_GRAPH_CODE_H

#include "firmware/graph/draft.h"

#define GRAPH_MAGIC       0x50474747u /**< `magic` of a program: the letters GGGP. */
#define GRAPH_VERSION     1u          /**< `version` of a program. */
#define GRAPH_STEPS       65536u      /**< Steps, at most. */
#define GRAPH_DEFINITIONS 256u        /**< Definitions, at most. */
#define GRAPH_STATES      256u        /**< States, at most. */
#define GRAPH_RESOURCES   16384u      /**< Resources, at most. */
#define GRAPH_VARIABLES   64u         /**< Variables, at most. */
#define GRAPH_NO_VARIABLE 255u        /**< Operand: none. */
#define GRAPH_NO_STATE    0xffffffffu /**< `copy_state`, `fill_state`: none. */
#define GRAPH_STEP_BUDGET 1000000u    /**< Steps that a program may execute when nobody says. */

/** A program in the CP's own memory. */
struct graph_program {
	const struct gg_graph_program *header;         /**< Header. */
	const struct gg_graph_step *steps;             /**< Steps. */
	const struct gg_graph_definition *definitions; /**< Definitions, ascending by `first`. */
	const struct gg_tmd *states;                   /**< States. */
	const struct gg_graph_resource *resources;     /**< Resources. */
};

/** What a program sees of the outside. */
struct graph_outside {
	const uint64_t *arguments; /**< Of the graph. */
	uint32_t argument_count;   /**< How many: as at verification. */
	uint32_t step_budget;      /**< Steps that it may execute; 0: GRAPH_STEP_BUDGET. */
	/** Where the CP sees [address, address + 4) for LOAD, address a multiple of 4; or NULL when
	 * the graph's context does not own it. */
	const uint32_t *(*word)(void *context, uint64_t address);
	void *context; /**< For `word`. */
};

/** A program that runs. All zero but the first three at the start. */
struct graph_machine {
	const struct graph_program *program; /**< Verified. */
	const struct graph_outside *outside; /**< Constant. */
	struct graph *graph;                 /**< What it makes. */
	uint32_t pc;                         /**< Next step. */
	uint32_t back;                       /**< Inside a definition: step after INVOKE. */
	uint32_t until;                      /**< Inside a definition: its end; 0 outside. */
	uint32_t definition;                 /**< Inside: its number + 1. */
	uint32_t state;                      /**< STATE, + 1; 0: none set. */
	uint32_t grid[3];                    /**< GRID for the next DISPATCH; x 0: none. */
	bool over;                           /**< END was executed. */
	struct graph_draft draft;            /**< Pass under construction. */
	uint32_t variables
		[GRAPH_VARIABLES]; /**< Integers, or numbers of resources + 1; 0 at first. */
};

/** Make ready to run.
 * @param graph  Fresh from graph_build_begin() with this program's resources. */
void graph_code_begin(struct graph_machine *machine, const struct graph_program *program,
		      const struct graph_outside *outside, struct graph *graph);

/** Execute at most `steps` steps; `over` says whether END was among them, graph->steps counts them.
 * The value of a refusal is the step: ERR_GRAPH_RESOURCE, ERR_GRAPH_DATA, ERR_GRAPH_STEP (DISPATCH
 * without STATE, arguments that no DISPATCH takes), ERR_GRID_ZERO, ERR_GRID_OVERFLOW,
 * ERR_GRAPH_BUDGET, and those of draft.h and draft_end.h. After one the machine must not go on, and the graph is to
 * be thrown away (S2-Q22). */
struct refusal graph_code_run(struct graph_machine *machine, uint32_t steps);

#endif /* FIRMWARE_GRAPH_CODE_H */
