/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the host and the loops without firmware tell one another: static_job, at 0x80100000.
 */
#ifndef TESTS_BENCH_STATIC_STATIC_H
#define TESTS_BENCH_STATIC_STATIC_H

#include <assert.h>
#include <stdint.h>

#define STATIC_ROUNDS 16u /**< Most rounds. */

/** Which work of loops.h. */
enum static_loop {
	STATIC_SGEMM = 0,    /**< in[0] * in[1], matrices of size x size. */
	STATIC_CONVOLVE = 1, /**< in[0] with the filter in[1] to a picture of size x size. */
	STATIC_SUM = 2,      /**< Sum of the `size` elements of in[0]. */
};

/** Addresses take 8 bytes also on RV32. */
struct static_job {
	uint32_t loop; /**< host: enum static_loop */
	uint32_t
		harts; /**< host: harts that share the work, 1 and more; hart 0 is not one of them */
	uint32_t rounds;               /**< host: how often, 1 to STATIC_ROUNDS */
	uint32_t size;                 /**< host: see enum static_loop */
	uint64_t in[2];                /**< host: addresses of the inputs */
	uint64_t out;                  /**< host: address of the result */
	uint32_t arrived;              /**< harts: how many have done their share of this round */
	uint32_t done;                 /**< hart 0: rounds that are complete */
	uint64_t begin[STATIC_ROUNDS]; /**< hart 0: time before the start, in ticks */
	uint64_t end[STATIC_ROUNDS];   /**< hart 0: time after the last hart came */
};

static_assert(sizeof(struct static_job) == 48 + 16 * STATIC_ROUNDS, "the host reads this layout");

#endif /* TESTS_BENCH_STATIC_STATIC_H */
