/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Verification of graph programs, entry by entry and step by step (code.h says what it guarantees).
 */
#ifndef FIRMWARE_GRAPH_VERIFY_H
#define FIRMWARE_GRAPH_VERIFY_H

#include "firmware/graph/code.h"

/** Verify definitions, resources (but for addresses) and steps. Definitions are ascending, apart
 * from each other, inside the steps, but not at step 0; straight, with 1 to GRAPH_BLOCK_COMMANDS
 * commands, and entered by INVOKE alone: neither a jump nor the step before goes on inside.
 * Operands are variables of the right type; numbers exist; unused operands are 0; the last step
 * outside of definitions goes on nowhere.
 * @param arguments  Of the graph; at most GRAPH_ARGUMENTS.
 * @param cursor  0 at first; UINT32_MAX when it is done.
 * @param budget  Most entries and steps to look at.
 * @return  The first error: ERR_GRAPH_FORMAT, _STEP, _TYPE, _JUMP, _TOO_LARGE. */
struct refusal graph_code_verify(const struct graph_program *program, uint32_t arguments,
				 uint32_t *cursor, uint32_t budget);

#endif /* FIRMWARE_GRAPH_VERIFY_H */
