/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How graph_storm_make.h puts a graph into its place.
 */
#ifndef TESTS_UNIT_GRAPH_STORM_PUT_H
#define TESTS_UNIT_GRAPH_STORM_PUT_H

#include "tests/unit/fake_graph.h"
#include "tests/unit/graph_storm_make.h"

/* The program, with so many commands in a block; its bytes. */
uint32_t made_put_program(const struct made_place *place, const struct fake_graph *graph,
			  uint32_t commands);

/* All but the program, whose bytes are in the settings; the TMD to submit. */
struct gg_tmd made_put_rest(const struct made_place *place, struct gg_graph settings, uint32_t tag);

#endif /* TESTS_UNIT_GRAPH_STORM_PUT_H */
