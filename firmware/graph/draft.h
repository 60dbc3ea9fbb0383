/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A pass under construction (S2-R42, S2-R43): declarations first, then commands, then its end (draft_end.h). A pass that
 * is not ended does not count. Every refusal leaves a graph that must be thrown away; it names `step`, the place in the
 * program.
 */
#ifndef FIRMWARE_GRAPH_DRAFT_H
#define FIRMWARE_GRAPH_DRAFT_H

#include "firmware/graph/model.h"

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

/** Begin the next pass. What was declared before and is not part of a pass is dropped. */
void graph_draft_begin(struct graph_draft *draft, struct graph *graph);

/** READ, WRITE or SHARE a resource (S2-R21). Several declarations of one resource become one: READ and WRITE together
 * are an update in place; so are READ and SHARE, because what is read must have been written before; WRITE and SHARE
 * are WRITE (S2-Q23).
 * @return  ERR_GRAPH_RESOURCE: there is no such resource, or it is a transient without a size; ERR_GRAPH_TOO_LARGE. */
struct refusal graph_draft_declare(struct graph_draft *draft, enum gg_graph_op op,
				   uint32_t resource);

/** Run after pass number `pass`, which may be made later (checked by graph_build_end()). */
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

/* ---- shared with draft_end.c ---- */

/** What a draft declares. Until the draft ends, `use` of its accesses holds these marks, and `version` holds the
 * number of the resource or pass. Its end makes an enum graph_use and a version of them. */
enum draft_mark {
	DRAFT_READ = 1,  /**< READ. */
	DRAFT_WRITE = 2, /**< WRITE. */
	DRAFT_SHARE = 4, /**< SHARE. */
	DRAFT_AFTER = 8, /**< AFTER a pass. */
};

/** A refusal that names the step. */
static inline struct refusal draft_refuse(const struct graph_draft *draft, enum gg_status status,
					  uint32_t field)
{
	return refusal_of(status, field, draft->step);
}

/** A refusal because an array is full. */
static inline struct refusal draft_refuse_size(const struct graph_draft *draft)
{
	return draft_refuse(draft, GG_ERR_GRAPH_TOO_LARGE, GG_FIELD_GRAPH_STEP_OP);
}

/** What follows belongs to the next pass. Its needs are 0 already. */
static inline void draft_next(struct graph_draft *draft)
{
	struct graph *graph = draft->graph;

	draft->first_access = graph->access.used;
	draft->first_command = graph->command.used;
	draft->first_value = graph->value.used;
	draft->bytes = 0;
	graph->drafts++;
}

/** Add an access. Returns false when there is no room. */
static inline bool draft_add_access(struct graph *graph, uint32_t version, uint8_t use)
{
	if (graph->access.used == graph->access.most) {
		return false;
	}
	graph->accesses[graph->access.used++] = (struct graph_access){
		.pass = graph->pass.used, .version = version, .next = GRAPH_NONE, .use = use
	};
	return true;
}

#endif /* FIRMWARE_GRAPH_DRAFT_H */
