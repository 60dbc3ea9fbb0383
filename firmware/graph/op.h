/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The operations of graph programs (S2-Q1, S2-Q2): one row each says what its operands are, and
 * where it may stand. The verifier checks steps by this table, so it is also the reference of what
 * a step must look like; what an operation does is said by `enum gg_graph_op`.
 */
#ifndef FIRMWARE_GRAPH_OP_H
#define FIRMWARE_GRAPH_OP_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

#define GRAPH_OPS (GG_GRAPH_OP_FENCE + 1u) /**< Rows of the table. */

/** What an operation is for: the numbers of operations are in groups of 8. */
enum graph_group {
	GRAPH_GROUP_UNKNOWN = 0, /**< No operation. */
	GRAPH_GROUP_COMPUTE = 1, /**< 0 to 2: sets a variable. */
	GRAPH_GROUP_CONTROL =
		3, /**< Control flow (S2-R8); outside of definitions only; also END. */
	GRAPH_GROUP_DECLARE = 4, /**< What the pass uses and waits for (S2-R21, S2-R31). */
	GRAPH_GROUP_PREPARE = 5, /**< State, grid and arguments of commands (S2-R22, S2-R27). */
	GRAPH_GROUP_COMMAND = 6, /**< Pass command (S2-R23). This is the list of S2-R30. */
};

/** What an operand a, b or c must be. */
enum graph_operand {
	GRAPH_OPERAND_NONE = 0, /**< Zero. */
	GRAPH_OPERAND_INTEGER,  /**< An integer variable. */
	GRAPH_OPERAND_OPTION,   /**< An integer variable, or GRAPH_NO_VARIABLE. */
	GRAPH_OPERAND_RESOURCE, /**< A resource variable. */
	GRAPH_OPERAND_ANY,      /**< A variable. */
	GRAPH_OPERAND_SAME,     /**< A variable of the type of a. */
	GRAPH_OPERAND_BYTES,    /**< The number 4 or 8. */
	GRAPH_OPERAND_NEED,     /**< A number of enum gg_graph_need. */
};

/** What `imm` must be. */
enum graph_number {
	GRAPH_NUMBER_NONE = 0,   /**< Zero. */
	GRAPH_NUMBER_ANY,        /**< Anything. */
	GRAPH_NUMBER_ELSE_B,     /**< Anything when b is GRAPH_NO_VARIABLE, else zero. */
	GRAPH_NUMBER_ELSE_C,     /**< The same for c. */
	GRAPH_NUMBER_WORD,       /**< A multiple of 4. */
	GRAPH_NUMBER_STEP,       /**< A step outside of definitions. */
	GRAPH_NUMBER_DEFINITION, /**< A definition. */
	GRAPH_NUMBER_STATE,      /**< A state. */
	GRAPH_NUMBER_ARGUMENT,   /**< An argument of the graph. */
	GRAPH_NUMBER_RESOURCE,   /**< A resource of the program whose kind is not NONE. */
	GRAPH_NUMBER_PASS,       /**< Below GRAPH_PASSES. */
};

/** A row: an operation. */
struct graph_op {
	uint8_t group;  /**< enum graph_group. */
	uint8_t a;      /**< enum graph_operand. */
	uint8_t b;      /**< enum graph_operand. */
	uint8_t c;      /**< enum graph_operand. */
	uint8_t number; /**< enum graph_number: of `imm`. */
};

/** Row of an operation.
 * @param op  Any 8-bit number.
 * @return  A row of GRAPH_GROUP_UNKNOWN for what is no operation. */
const struct graph_op *graph_op_row(uint32_t op);

#endif /* FIRMWARE_GRAPH_OP_H */
