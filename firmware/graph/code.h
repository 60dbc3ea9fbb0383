/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Graph programs: verified, then executed (S2-R1, R2, R40, R41). Both in bounded pieces. A program
 * that passes verification cannot leave its tables, whatever it computes.
 */
#ifndef FIRMWARE_GRAPH_CODE_H
#define FIRMWARE_GRAPH_CODE_H

#include "firmware/graph/build.h"

#define GRAPH_VARIABLES   64u  /**< Variables of a program. */
#define GRAPH_NO_VARIABLE 255u /**< Operand: none. */

/** A program in the CP's own memory. */
struct graph_program {
	const struct gg_graph_program *header;         /**< Header. */
	const struct gg_graph_step *steps;             /**< Steps. */
	const struct gg_graph_definition *definitions; /**< Pass definitions. */
	const struct gg_tmd *states;                   /**< States. */
	const struct gg_graph_resource *resources;     /**< Resources. */
};

/** Take the header and find the tables: all inside `bytes`, aligned, counts in their limits, reserved words
 * zero. ERR_GRAPH_FORMAT with the field. */
struct refusal graph_code_open(struct graph_program *program, const void *memory, uint32_t bytes);

/** Verify definitions, resources (but for addresses) and steps, in pieces; cursor as in order.h.
 * Jumps stay outside of definitions, definitions inside the steps, apart from each other, straight, with at least one
 * command, and are entered by INVOKE alone; operands are variables of the right type; numbers exist; unused operands
 * are 0. ERR_GRAPH_FORMAT, _STEP, _TYPE, _JUMP. */
struct refusal graph_code_verify(const struct graph_program *program, uint32_t arguments,
				 uint32_t *cursor, uint32_t budget);

/** What a program sees of the outside. */
struct graph_outside {
	const uint64_t *arguments; /**< Of the graph. */
	uint32_t argument_count;   /**< How many. */
	/** Where the CP sees [address, address + 4) for LOAD, or NULL when the graph's context does not own it. */
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
	uint32_t variables[GRAPH_VARIABLES]; /**< Integers, or numbers of resources + 1. */
};

/** Make ready to run. */
void graph_code_begin(struct graph_machine *machine, const struct graph_program *program,
		      const struct graph_outside *outside, struct graph *graph);

/** Execute at most `steps` steps. ERR_GRAPH_RESOURCE (variable not assigned, …), ERR_GRAPH_DATA, ERR_GRAPH_STEP (DISPATCH
 * without STATE), and those of build.h; the value is the step. At END a block that has commands is ended; one
 * without makes no pass (S2-Q9). */
struct refusal graph_code_run(struct graph_machine *machine, uint32_t steps);

#endif /* FIRMWARE_GRAPH_CODE_H */
