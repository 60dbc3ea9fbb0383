/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Simulated slots, on which the run of a random graph starts passes; and the checks of what it did.
 */
#ifndef TESTS_UNIT_GRAPH_SLOTS_H
#define TESTS_UNIT_GRAPH_SLOTS_H

#include "tests/unit/graph_world.h"

#define SLOTS 16u /**< At most. */

extern struct graph *slots_graph;          /**< Graph of `world`; set by the test. */
extern struct graph_limits slots_limits;   /**< Set by the test. */
extern struct graph_run slots;             /**< The run. */
extern uint64_t slots_start[WORLD_PASSES]; /**< When passes started; UINT64_MAX: they did not. */
extern uint64_t slots_end[WORLD_PASSES];   /**< When they ended. */

/** Budget of UNITS (0) or BANDWIDTH (1). */
uint32_t slots_budget(uint32_t kind);

/** Run the graph; @return its time. It is stopped at the end of pass `last`. Checks that budgets hold, and that
 * nothing that is ready and fits waits. */
uint64_t slots_run(uint32_t last);

/** A pass that has to come later started after the end of those before it. */
void slots_check_order(void);

/** Each pass has ended as it should. Not to be used after a stop. */
void slots_check_states(void);

/** Buffers that share memory did not live at the same time. */
void slots_check_memory(void);

#endif /* TESTS_UNIT_GRAPH_SLOTS_H */
