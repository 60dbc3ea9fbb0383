/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/cga/lake.h"

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"

/* Number of SMs of a domain on a level; a whole word of them is counted at once (S1-C9). */
static inline uint32_t lake_count(const struct availability *levels, const struct sm_domain *domain,
				  uint32_t level)
{
	const struct sm_tree_part *part = domain->parts;
	const struct sm_tree_part *end = part + domain->parts_count;
	uint32_t sms = 0;

	if (domain->sms == device.sms_count) {
		return levels->count[level]; /* for the whole device they are already counted */
	}
	if ((levels->filled >> level & 1u) == 0) {
		return 0;
	}
	for (; part < end; part++) {
		const uint32_t ranks = levels->sms[level][part->word] & part->ranks;

		sms += ranks == 0 ? 0 : bits_count(ranks);
	}
	return sms;
}

static uint32_t highest_level(const struct availability *levels)
{
	return bits_highest(levels->filled | 1);
}

/* Fills a layer at a time (S1-R91): to lower the surface by a level, each SM above it takes a CTA. CTAs that do not
 * suffice for a whole layer go to the first SMs of it (S1-R93). With more CTAs than free slots, the CGA fails as a
 * whole (S1-R85, S1-R87); else the water stops at some level (S1-R89). */
static struct lake_answer pour(const struct availability *levels, const struct sm_domain *domain,
			       uint32_t ctas)
{
	uint32_t left = ctas;
	uint32_t above = 0;
	uint32_t level = highest_level(levels);

	while (level > 0) {
		above += lake_count(levels, domain, level);
		if (above > left) {
			break;
		}
		left -= above;
		level--;
	}
	return (struct lake_answer){
		.valid = level > 0 || left == 0,
		.speed = (uint8_t)(left != 0 ? level - 1 : level),
		.final = (uint8_t)level,
		.extra = (uint16_t)left,
	};
}

/* Each SM takes one CTA, those with the most free slots first (S1-R79). This order never misses a CGA that fits. A
 * preference for whole TPCs could miss one, so that preference only chooses among equals (S1-Q4). */
static struct lake_answer spread(const struct availability *levels, const struct sm_domain *domain,
				 uint32_t ctas)
{
	uint32_t left = ctas;
	uint32_t level = highest_level(levels);

	for (; level > 0; level--) {
		const uint32_t sms = lake_count(levels, domain, level);

		if (sms >= left) {
			break;
		}
		left -= sms;
	}
	return (struct lake_answer){
		.valid = level > 0,
		.speed = (uint8_t)(level - 1),
		.final = (uint8_t)level,
		.extra = (uint16_t)left,
	};
}

struct lake_answer lake_ask(const struct availability *levels, const struct sm_domain *domain,
			    struct lake_query query)
{
	return query.spread ? spread(levels, domain, query.ctas) : pour(levels, domain, query.ctas);
}

static uint32_t free_slots(const struct availability *levels, const struct sm_domain *domain)
{
	uint32_t slots = 0;

	for (uint32_t level = highest_level(levels); level > 0; level--) {
		slots += level * lake_count(levels, domain, level);
	}
	return slots;
}

/* n CGAs of k CTAs fit when the sum over the SMs of min(free slots, n) is at least n × k; `used` is that sum. When n
 * is the highest level, it is the number of all free slots. When n falls by one, it falls by the number of SMs on
 * level n or above. */
static uint32_t spread_capacity(const struct availability *levels, const struct sm_domain *domain,
				uint32_t ctas)
{
	uint32_t cgas = highest_level(levels);
	uint32_t used = free_slots(levels, domain);
	uint32_t above = 0;

	if (used >= cgas * ctas) {
		return used / ctas;
	}
	while (used < cgas * ctas) { /* terminates: both are 0 when `cgas` is 0 */
		above += lake_count(levels, domain, cgas);
		used -= above;
		cgas--;
	}
	return cgas;
}

uint32_t lake_capacity(const struct availability *levels, const struct sm_domain *domain,
		       struct lake_query query)
{
	return query.spread ? spread_capacity(levels, domain, query.ctas)
			    : free_slots(levels, domain) / query.ctas;
}
