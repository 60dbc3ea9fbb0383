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
 * @param graph      May be the begin of `memory`, or anywhere else.
 * @param memory     Aligned to 8; becomes the arrays, behind the graph when that is there.
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
	bool needy;                  /**< A need was stated. */
	uint32_t bytes;              /**< Bytes of the values so far. */
	uint32_t step;               /**< Step that is executed; written by the caller. */
};

/** Where in an argument block an argument of 4 or 8 bytes goes when `bytes` are taken: arguments are
 * aligned to their size. */
static inline uint32_t graph_value_place(uint32_t bytes, uint32_t size)
{
	return (bytes + size - 1) & ~(size - 1);
}

/** Begin the next pass; what was declared before and is not part of a pass is forgotten. */
void graph_draft_begin(struct graph_draft *draft, struct graph *graph);

/** READ, WRITE or SHARE a resource (S2-R21). The same twice is once; READ and WRITE together are an
 * update in place; so are READ and SHARE, as what is read must have been written; WRITE and SHARE are WRITE
 * (S2-Q23). ERR_GRAPH_RESOURCE: no such resource, or a transient without a size; ERR_GRAPH_TOO_LARGE. */
struct refusal graph_draft_declare(struct graph_draft *draft, enum gg_graph_op op,
				   uint32_t resource);

/** AFTER pass number `pass`, which may follow later (checked at graph_build_end). */
struct refusal graph_draft_after(struct graph_draft *draft, uint32_t pass);

/** State a need. */
void graph_draft_need(struct graph_draft *draft, enum gg_graph_need kind, uint32_t amount);

/** Set the size of a transient. ERR_GRAPH_RESOURCE when it is none, or is used already. */
struct refusal graph_draft_size(struct graph_draft *draft, uint32_t resource, uint32_t bytes);

/** Add an argument of the next DISPATCH. The block may not become larger than GRAPH_ARGUMENT_BYTES
 * (ERR_GRAPH_TOO_LARGE). ADDRESS: the resource must be declared by the pass already (ERR_GRAPH_RESOURCE); `bytes` is
 * filled in. */
struct refusal graph_draft_value(struct graph_draft *draft, const struct graph_value *value);

/** Add a command; DISPATCH takes the arguments added since the last one: `values` and `first_value` are filled in.
 * Resources of COPY, FILL and SIGNAL must be declared accordingly (ERR_GRAPH_RESOURCE), and ranges lie in them; the word
 * of a SIGNAL is aligned to 4 (ERR_GRAPH_DATA). ERR_GRAPH_TOO_LARGE. */
struct refusal graph_draft_command(struct graph_draft *draft, const struct graph_command *command);

/** Commands of the draft so far. */
uint32_t graph_draft_commands(const struct graph_draft *draft);

/** End the pass: it becomes part of the graph, and the next draft begins. A draft without a command makes none, and its
 * declarations stay for the next. ERR_GRAPH_RESOURCE: it reads a transient that no pass has written (not when unordered);
 * ERR_GRAPH_TOO_LARGE. @param definition  Definition + 1, or 0. */
struct refusal graph_draft_end(struct graph_draft *draft, uint16_t definition);

/** All passes are there; what is left of a draft is dropped. Links AFTER of later passes, in steps, so that one turn is
 * bounded. Returns at the first error: ERR_GRAPH_RESOURCE for an AFTER of a pass that does not exist, or (unordered) a
 * transient that is read but never written; the value is the step that completed the pass.
 * @param cursor  0 at first; UINT32_MAX when it is done.
 * @param budget  Elements to look at, at least 1. */
struct refusal graph_build_end(struct graph *graph, uint32_t *cursor, uint32_t budget);

/** Bytes that the finished graph takes, when its arrays are moved together. */
uint64_t graph_build_bytes(const struct graph *graph);

/** Move the arrays together, in bounded steps; `cursor` as above. Afterwards the graph takes
 * graph_build_bytes() of its memory. */
void graph_build_pack(struct graph *graph, uint32_t *cursor, uint32_t budget_bytes);

#endif /* FIRMWARE_GRAPH_BUILD_H */
