/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Makes a graph, pass by pass (S2-R42, S2-R43): declarations first, then commands, then the end of
 * the pass. Nothing of a pass that is not ended counts. Every refusal leaves the graph to be
 * thrown away. `step` is the place in the program that a refusal names.
 */
#ifndef FIRMWARE_GRAPH_BUILD_H
#define FIRMWARE_GRAPH_BUILD_H

#include "firmware/graph/model.h"

/** Room for a graph, in elements of each array; what remains of `bytes` after the resources is cut
 * in these proportions.
 * @param memory     Aligned to 8; becomes the graph and its arrays.
 * @param resources  The program's table; copied.
 * @return  GG_ERR_GRAPH_TOO_LARGE when not even one pass fits. */
enum gg_status graph_build_begin(struct graph *graph, void *memory, uint64_t bytes,
				 const struct gg_graph_resource *resources, uint32_t resource_count,
				 bool unordered, uint8_t pointer_bytes);

/** A pass under construction. */
struct graph_draft {
	struct graph *graph;         /**< Constant. */
	uint32_t first_access;       /**< Accesses from here on are its own. */
	uint32_t first_command;      /**< Commands from here on. */
	uint32_t first_value;        /**< Values of the next command from here on. */
	uint32_t needs[GRAPH_NEEDS]; /**< Stated so far. */
	uint32_t step;               /**< Step that is executed; written by the caller. */
};

/** Begin the next pass. */
void graph_draft_begin(struct graph_draft *draft, struct graph *graph);

/** READ, WRITE or SHARE a resource (S2-R21). The same twice is once; READ and WRITE together are an
 * update in place. ERR_GRAPH_RESOURCE: no such resource; ERR_GRAPH_TOO_LARGE. */
struct refusal graph_draft_declare(struct graph_draft *draft, enum gg_graph_op op,
				   uint32_t resource);

/** AFTER pass number `pass`, which may follow later (checked at graph_build_end). */
struct refusal graph_draft_after(struct graph_draft *draft, uint32_t pass);

/** State a need. */
void graph_draft_need(struct graph_draft *draft, enum gg_graph_need kind, uint32_t amount);

/** Set the size of a transient. ERR_GRAPH_RESOURCE when it is none, or is used already. */
struct refusal graph_draft_size(struct graph_draft *draft, uint32_t resource, uint32_t bytes);

/** Add an argument of the next command. The block may not become larger than GRAPH_ARGUMENT_BYTES
 * (ERR_GRAPH_TOO_LARGE). ADDRESS: the resource must be declared by the pass. */
struct refusal graph_draft_value(struct graph_draft *draft, const struct graph_value *value);

/** Add a command; it takes the arguments added since the last one. Resources of COPY, FILL and
 * SIGNAL must be declared accordingly, and ranges lie in them (ERR_GRAPH_RESOURCE, ERR_GRAPH_DATA). */
struct refusal graph_draft_command(struct graph_draft *draft, const struct graph_command *command);

/** Commands of the draft so far. */
uint32_t graph_draft_commands(const struct graph_draft *draft);

/** End the pass: it becomes part of the graph. A draft without a command makes none, and its
 * declarations stay for the next. @param definition  Definition + 1, or 0. */
struct refusal graph_draft_end(struct graph_draft *draft, uint16_t definition);

/** All passes are there: link what passes wait for, in steps, so that one turn is bounded.
 * @param cursor  0 at first; UINT32_MAX when it is done. Returns at the first error:
 *  ERR_GRAPH_RESOURCE for an AFTER of a pass that does not exist; a transient that is read but
 *  never written, or has no size. */
struct refusal graph_build_end(struct graph *graph, uint32_t *cursor, uint32_t budget);

/** Bytes that the finished graph takes, when its arrays are moved together. */
uint64_t graph_build_bytes(const struct graph *graph);

/** Move the arrays together, in bounded steps; `cursor` as above. Afterwards the graph takes
 * graph_build_bytes() of its memory. */
void graph_build_pack(struct graph *graph, uint32_t *cursor, uint32_t budget_bytes);

#endif /* FIRMWARE_GRAPH_BUILD_H */
