/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The shadow: the levels that a session lowers (S1-R52, S1-R53, S1-C7), and the log of what it took,
 * which is the reservation (S1-R54, S1-R125) and by which it is taken back (S1-R66, S1-R200).
 */
#ifndef FIRMWARE_CP_CGA_SHADOW_H
#define FIRMWARE_CP_CGA_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/cga/cga_place.h"
#include "firmware/cp/cga/lake.h"

/** Take over the levels of a session. */
void shadow_begin(struct availability *levels);

/** The levels as they are now. */
const struct availability *shadow_levels(void);

/** Forget the log: what it says stays taken. */
void shadow_keep(void);

/** Place an innermost CGA in a domain: lower its SMs, add its pieces to the log.
 * @param answer  What lake_ask() said of this domain with these levels; valid. */
void shadow_place(const struct sm_domain *domain, struct lake_query query,
		  struct lake_answer answer);

/** Take the last piece of the log back.
 * @return  That piece. */
struct cga_piece shadow_take_back(void);

/** The log.
 * @param[out] count  Pieces in it. */
const struct cga_piece *shadow_log(uint32_t *count);

#endif /* FIRMWARE_CP_CGA_SHADOW_H */
