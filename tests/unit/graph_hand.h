/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Graphs made by hand, in the plainest way, for tests of what runs them. They do without firmware/graph/build.c and
 * order.c, so faults of those do not hide here. One graph at a time; passes in program order, each
 * followed by its declarations. Also: a pass at a time, what a test expects of a run.
 */
#ifndef TESTS_UNIT_GRAPH_HAND_H
#define TESTS_UNIT_GRAPH_HAND_H

#include "firmware/graph/run_begin.h"

#define HAND_PASSES    2048u  /**< Passes, at most. */
#define HAND_RESOURCES 4096u  /**< Resources. */
#define HAND_ACCESSES  32768u /**< Declarations. */

extern struct graph hand;         /**< The graph. */
extern struct graph_run hand_run; /**< Its run. */

/** An empty graph. */
void hand_begin(void);

/** Another resource: a transient of that many bytes, or with 0 a buffer of the host. */
uint32_t hand_resource(uint64_t bytes);

/** Another pass. */
uint32_t hand_pass(uint32_t estimate);

/** The newest pass reads, writes, does both (in place), or writes together with others. */
void hand_read(uint32_t resource);
void hand_write(uint32_t resource);
void hand_update(uint32_t resource);
void hand_share(uint32_t resource);

/** A pass that reads up to two resources and writes one; GRAPH_NONE: none. Its number. */
uint32_t hand_make(uint32_t read, uint32_t other, uint32_t write);

/** Begin a graph with so many resources. */
void hand_resources(uint32_t count);

/** A running pass ends well, or fails. */
void hand_ended(uint32_t pass);
void hand_failed(uint32_t pass);

/** The newest pass starts after an earlier one. */
void hand_after(uint32_t pass);

/** The newest pass uses memory of a resource that nobody uses any more. */
void hand_reuse(uint32_t resource);

/** A need of the newest pass. */
void hand_need(enum gg_graph_need kind, uint32_t amount);

/** All is said: links, counters, planned bytes; ranks by what is linked. */
void hand_end(void);

/** Begin a run, in steps of 3. */
void hand_start(const struct graph_limits *limits);

/** graph_run_next(), as often as there is more to do. */
uint32_t hand_next(uint64_t now);

/** The next passes are these, and then there is none; end with GRAPH_NONE. */
void hand_expect(const uint32_t *passes);

/** State of a pass. */
enum gg_graph_pass_state hand_state(uint32_t pass);

#endif /* TESTS_UNIT_GRAPH_HAND_H */
