/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The lake: where the CTAs of an innermost CGA would go in one domain (S1-R82…R93, S1-R103). Pure
 * functions on availability levels; an answer costs a population count for each level on which the
 * domain has SMs, for any number of CTAs; none for the device, whose SMs are counted already.
 */
#ifndef FIRMWARE_CP_CGA_LAKE_H
#define FIRMWARE_CP_CGA_LAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/sms/availability.h"
#include "firmware/cp/sms/sm_tree.h"

/** A sample CGA (S1-R62); what it needs is in the levels. */
struct lake_query {
	uint32_t ctas; /**< 1 or more. */
	bool spread;   /**< MULTI_CAST: at most one CTA on an SM (S1-R79). */
};

/** The response (S1-R63). */
struct lake_answer {
	bool valid;     /**< All CTAs fit. The rest says nothing when they do not. */
	uint8_t speed;  /**< Least free slots left on an SM that received a CTA (S1-R64). */
	uint8_t final;  /**< Last level from which SMs take CTAs one by one. */
	uint16_t extra; /**< SMs that take a CTA from that level. In LOAD_BALANCING, of all SMs that
			     have come down to it or stood there; in MULTI_CAST, of those that
			     stood there. */
};

/** Pour a CGA into a domain. Changes nothing. */
struct lake_answer lake_ask(const struct availability *levels, const struct sm_domain *domain,
			    struct lake_query query);

/** CGAs that fit in a domain, one after the other (S1-Q33): what filling it with them would give. */
uint32_t lake_capacity(const struct availability *levels, const struct sm_domain *domain,
		       struct lake_query query);

#endif /* FIRMWARE_CP_CGA_LAKE_H */
