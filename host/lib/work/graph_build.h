/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A graph program under construction: tables that grow.
 */
#ifndef HOST_LIB_WORK_GRAPH_BUILD_H
#define HOST_LIB_WORK_GRAPH_BUILD_H

#include <stdbool.h>

#include "host/include/ganger_graph.h"

#define GRAPH_STEPS_MAX   65536u
#define GRAPH_NO_VARIABLE 255u       /**< Operand that is left out. */
#define GRAPH_NO_STATE    UINT32_MAX /**< copy_state, fill_state: none. */

/** Items of one size, one behind the other; all zero is empty. */
struct table {
	uint8_t *at;
	uint32_t count;
	uint32_t room;
};

/** Variables of the programs that are made here. */
enum graph_variable {
	GRAPH_VARIABLE_A = 0, /**< A resource. */
	GRAPH_VARIABLE_B,     /**< Another one. */
	GRAPH_VARIABLE_X,     /**< An integer, and the next two. */
	GRAPH_VARIABLE_Y,
	GRAPH_VARIABLE_Z,
	GRAPH_VARIABLE_COUNT,
};

struct gg_task_graph {
	struct gg_context *context;
	struct table steps;       /**< Main part: struct gg_graph_step. */
	struct table bodies;      /**< Of definitions, one behind the other. */
	struct table draft;       /**< Of the pass under construction. */
	struct table definitions; /**< struct gg_graph_definition; `first` counts in bodies. */
	struct table states;      /**< struct gg_tmd. */
	struct table resources;   /**< struct gg_graph_resource. */
	struct table program;     /**< Bytes of the finished program. */
	uint32_t passes;          /**< Ended. */
	uint32_t commands;        /**< Of the draft. */
	bool much;                /**< Something is copied or filled by a kernel. */
	bool loaded;              /**< `program` is all there is. */
};

/** Adds an item. Sets the failure. @return GG_ERR_GRAPH_TOO_LARGE: `most` are there, _NO_MEMORY. */
enum gg_status table_add(struct table *table, const void *item, size_t bytes, uint32_t most);

/** Adds a step to the draft. Sets the failure. */
enum gg_status graph_step(struct gg_task_graph *graph, enum gg_graph_op op, uint32_t operands,
			  uint32_t imm);

/** Operands of a step: three variables or numbers. */
static inline uint32_t graph_abc(uint32_t a, uint32_t b, uint32_t c)
{
	return a << 8 | b << 16 | c << 24;
}

/** Adds a command to the draft. Sets the failure. @return GG_ERR_GRAPH_TOO_LARGE: 16 are there. */
enum gg_status graph_command(struct gg_task_graph *graph, enum gg_graph_op op, uint32_t operands,
			     uint32_t imm);

/** Number of a state, which is there once. Sets the failure. */
enum gg_status graph_add_state(struct gg_task_graph *graph, const struct gg_tmd *state,
			       uint32_t *number);

#endif /* HOST_LIB_WORK_GRAPH_BUILD_H */
