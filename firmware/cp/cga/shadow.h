/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The shadow: the levels that a session lowers (S1-R52, S1-R53, S1-C7), and the log of what it placed. The log is
 * the reservation (S1-R54, S1-R125), and is used to take back what was placed (S1-R66, S1-R200).
 */
#ifndef FIRMWARE_CP_CGA_SHADOW_H
#define FIRMWARE_CP_CGA_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/cga/cga_place.h"
#include "firmware/cp/cga/lake.h"

/** Begin a session on these levels, with an empty log. */
void shadow_begin(struct availability *levels);

/** The levels as the session has lowered them so far. */
const struct availability *shadow_levels(void);

/** Empty the log; what was placed stays placed. */
void shadow_keep(void);

/** Place an innermost CGA in a domain: lower the levels of its SMs, and add its pieces to the log.
 * @param answer  The valid answer of lake_ask() for this domain and these levels. */
void shadow_place(const struct sm_domain *domain, struct lake_query query,
		  struct lake_answer answer);

/** Give back CTAs of an SM, whose pieces stay in the log. */
void shadow_raise(uint32_t sm, uint32_t ctas);

/** Remove the last piece from the log and take it back. The log is not empty.
 * @return  That piece. */
struct cga_piece shadow_take_back(void);

/** The pieces in the log, in the order in which they were placed.
 * @param[out] count  Number of pieces. */
const struct cga_piece *shadow_log(uint32_t *count);

#endif /* FIRMWARE_CP_CGA_SHADOW_H */
