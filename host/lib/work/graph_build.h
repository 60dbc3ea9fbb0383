/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A graph program under construction: tables that grow.
 */
#ifndef HOST_LIB_WORK_GRAPH_BUILD_H
#define HOST_LIB_WORK_GRAPH_BUILD_H

#include <stdbool.h>

#include "host/include/ganger_graph.h"
#include "host/lib/mailbox/device.h"

#define GRAPH_STEPS_MAX   65536u
#define GRAPH_NO_VARIABLE 255u       /**< Operand that is left out. */
#define GRAPH_NO_STATE    UINT32_MAX /**< As copy_state or fill_state: there is none. */

/** An array of items of one size that grows. All zero is an empty one. */
struct table {
	uint8_t *at;
	uint32_t count;
	uint32_t room;
};

/** Variables of the programs that are made here. */
enum graph_variable {
	GRAPH_VARIABLE_A = 0, /**< A resource. */
	GRAPH_VARIABLE_B,     /**< Another one. */
	GRAPH_VARIABLE_X,     /**< An integer, as are Y and Z. */
	GRAPH_VARIABLE_Y,
	GRAPH_VARIABLE_Z,
	GRAPH_VARIABLE_COUNT,
};

struct graph {
	struct gg_task_graph *handle;
	struct context *context;
	struct table steps;  /**< Steps of the main part: struct gg_graph_step. */
	struct table bodies; /**< Steps of all definitions, one after the other. */
	struct table draft;  /**< Steps of the pass under construction. */
	/** struct gg_graph_definition; `first` is an index of `bodies`. */
	struct table definitions;
	struct table states;    /**< struct gg_tmd. */
	struct table resources; /**< struct gg_graph_resource. */
	struct table program;   /**< Bytes of the finished program. */
	uint32_t passes;        /**< Passes that were ended. */
	uint32_t commands;      /**< Commands in the draft. */
	bool much;              /**< A kernel has to copy or fill something. */
	/** It was loaded: there is a finished `program` and nothing else. */
	bool loaded;
};

/** Adds an item. Sets the failure. @return GG_ERR_GRAPH_TOO_LARGE (`most` items are there),
 * GG_ERR_NO_MEMORY. */
enum gg_status table_add(struct table *table, const void *item, size_t bytes, uint32_t most);

/** Adds a step to the draft. Sets the failure. */
enum gg_status graph_step(struct graph *graph, enum gg_graph_op op, uint32_t operands,
			  uint32_t imm);

/** Operands of a step: three variables or numbers. */
static inline uint32_t graph_abc(uint32_t a, uint32_t b, uint32_t c)
{
	return a << 8 | b << 16 | c << 24;
}

/** Adds a command to the draft. Sets the failure. @return GG_ERR_GRAPH_TOO_LARGE: it has 16. */
enum gg_status graph_command(struct graph *graph, enum gg_graph_op op, uint32_t operands,
			     uint32_t imm);

/** Finds a state, or adds it if it is not there yet. Sets the failure. */
enum gg_status graph_add_state(struct graph *graph, const struct gg_tmd *state, uint32_t *number);

#endif /* HOST_LIB_WORK_GRAPH_BUILD_H */
