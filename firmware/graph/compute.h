/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Steps of graph programs that set a variable (GRAPH_GROUP_COMPUTE), and how steps get at
 * variables.
 */
#ifndef FIRMWARE_GRAPH_COMPUTE_H
#define FIRMWARE_GRAPH_COMPUTE_H

#include "firmware/abi/field.h"
#include "firmware/graph/code.h"

/** An integer operand, or `otherwise` where the step has none. @param operand  Verified. */
static inline uint32_t graph_integer(const struct graph_machine *machine, uint32_t operand,
				     uint32_t otherwise)
{
	return operand == GRAPH_NO_VARIABLE ? otherwise : machine->variables[operand];
}

/** Number of the resource in a variable; GRAPH_NONE when nothing is assigned to it, which no
 * declaration names. @param operand Verified. */
static inline uint32_t graph_resource(const struct graph_machine *machine, uint32_t operand)
{
	return machine->variables[operand] - 1u;
}

/** Execute a step. ERR_GRAPH_DATA and ERR_GRAPH_RESOURCE with the field; the value is not set. */
struct refusal graph_compute(struct graph_machine *machine, const struct gg_graph_step *step);

#endif /* FIRMWARE_GRAPH_COMPUTE_H */
