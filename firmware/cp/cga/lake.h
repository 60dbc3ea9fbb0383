/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The lake: where the CTAs of an innermost CGA would go in one domain (S1-R82…R93, S1-R103). All are pure functions
 * on availability levels. For any number of CTAs, an answer costs a population count for each word and level on
 * which the domain has SMs; for the whole device it costs none, because its SMs are already counted.
 */
#ifndef FIRMWARE_CP_CGA_LAKE_H
#define FIRMWARE_CP_CGA_LAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/sms/availability.h"
#include "firmware/cp/sms/sm_tree.h"

/** A sample CGA (S1-R62). The levels are those for its needs. */
struct lake_query {
	uint32_t ctas; /**< Number of CTAs, 1 or more. */
	bool spread;   /**< MULTI_CAST: at most one CTA on an SM (S1-R79). */
};

/** The response (S1-R63). */
struct lake_answer {
	bool valid;    /**< All CTAs fit; the other fields mean nothing when they do not. */
	uint8_t speed; /**< Speed: least free slots left on an SM that got a CTA (S1-R64). */
	uint8_t final; /**< Lowest level from which SMs take a CTA. */
	/** Number of SMs that take a CTA from level `final`. In LOAD_BALANCING they are chosen from the SMs that
	 * stood there or have come down to it; in MULTI_CAST, from those that stood there. */
	uint16_t extra;
};

/** Find where the CTAs of a sample CGA would go in a domain. Changes nothing. */
struct lake_answer lake_ask(const struct availability *levels, const struct sm_domain *domain,
			    struct lake_query query);

/** How many such CGAs fit in a domain when they are placed one after the other (S1-Q33). */
uint32_t lake_capacity(const struct availability *levels, const struct sm_domain *domain,
		       struct lake_query query);

#endif /* FIRMWARE_CP_CGA_LAKE_H */
