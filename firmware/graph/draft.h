/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Private to draft.c and draft_end.c: how a draft notes what it declares.
 */
#ifndef FIRMWARE_GRAPH_DRAFT_H
#define FIRMWARE_GRAPH_DRAFT_H

#include "firmware/graph/build.h"

/** What a draft declares: `use` of its accesses, until its end makes an enum graph_use of them. `version` is the number
 * of the resource or pass till then. */
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

/** Some array is full. */
static inline struct refusal draft_refuse_size(const struct graph_draft *draft)
{
	return draft_refuse(draft, GG_ERR_GRAPH_TOO_LARGE, GG_FIELD_GRAPH_STEP_OP);
}

/** What comes now belongs to the next pass. Needs are none already. */
static inline void draft_next(struct graph_draft *draft)
{
	struct graph *graph = draft->graph;

	draft->first_access = graph->access.used;
	draft->first_command = graph->command.used;
	draft->first_value = graph->value.used;
	draft->bytes = 0;
	graph->drafts++;
}

/** Add an access; false: no room. */
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
