/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the host and the measurement of placement tell one another: scale_job, at 0x80800000.
 */
#ifndef TESTS_BENCH_SCALE_SCALE_H
#define TESTS_BENCH_SCALE_SCALE_H

#include <assert.h>
#include <stdint.h>

#define SCALE_GPCS  32u /**< Most GPCs. */
#define SCALE_CASES 64u /**< Most cases. */

/** A device of idle SMs, and a CGA. Costs are instructions. */
struct scale_case {
	uint32_t gpcs;                /**< host: GPCs, 1 to SCALE_GPCS */
	uint32_t gpc_sms[SCALE_GPCS]; /**< host: SMs of each */
	uint32_t ctas;                /**< host: CTAs of a CGA; 3 CGAs fit in the device */
	uint32_t domain;              /**< host: enum gg_domain */
	uint32_t spread;              /**< host: 1 for MULTI_CAST */
	uint32_t first;               /**< device: the first CGA: every SM is looked at */
	uint32_t next;                /**< device: the third, beside the first two */
	uint32_t query;               /**< device: as `next`, but without its launch */
};

/** All cases of a run. */
struct scale_job {
	uint32_t count;                       /**< host: cases, up to SCALE_CASES */
	uint32_t done;                        /**< device: of them, those that are measured */
	struct scale_case cases[SCALE_CASES]; /**< see there */
};

static_assert(sizeof(struct scale_case) == 156, "the host reads this layout");

#endif /* TESTS_BENCH_SCALE_SCALE_H */
