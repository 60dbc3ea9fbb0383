/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The header of a graph program, and where its tables are (S2-Q1, S2-Q3).
 */
#ifndef FIRMWARE_GRAPH_CODE_OPEN_H
#define FIRMWARE_GRAPH_CODE_OPEN_H

#include "firmware/graph/code.h"

/** Take the header and find the tables: all inside `bytes`, aligned, counts in their limits,
 * reserved words zero. Where an empty table would be does not matter as long as it is inside.
 * @param memory  Aligned to 8; stays while the program is used.
 * @return  ERR_GRAPH_FORMAT; `program` is then without meaning. */
struct refusal graph_code_open(struct graph_program *program, const void *memory, uint32_t bytes);

#endif /* FIRMWARE_GRAPH_CODE_OPEN_H */
