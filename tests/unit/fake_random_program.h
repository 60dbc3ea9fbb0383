/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Random graph programs: valid ones, most of which are damaged a little.
 */
#ifndef TESTS_UNIT_FAKE_RANDOM_PROGRAM_H
#define TESTS_UNIT_FAKE_RANDOM_PROGRAM_H

#include "firmware/graph/code.h"

#define FAKE_ARGUMENTS 3u /* of the graph */

/* Begin another sequence of random numbers. */
void fake_random_seed(uint64_t seed);

/* A number below `below`, not 0. */
uint32_t fake_random_below(uint32_t below);

/* A program; each of its tables has memory of its own, of exactly its size.
 * @param damages  Bytes to damage; 0: it is valid. */
struct graph_program fake_random_program(uint32_t damages);

/* Give its memory back. */
void fake_free_program(struct graph_program *program);

#endif /* TESTS_UNIT_FAKE_RANDOM_PROGRAM_H */
