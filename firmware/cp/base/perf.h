/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Operations on the counters of the PERF block. Only the CP writes them.
 */
#ifndef FIRMWARE_CP_BASE_PERF_H
#define FIRMWARE_CP_BASE_PERF_H

#include <stdint.h>

/** Add one to a counter; it wraps at 2^32. */
static inline void perf_count(uint32_t *counter)
{
	(*counter)++;
}

/** Add to a 64-bit counter that is kept in two words. */
static inline void perf_add(uint32_t *low, uint32_t *high, uint32_t amount)
{
	*low += amount;
	*high += *low < amount ? 1u : 0u;
}

#endif /* FIRMWARE_CP_BASE_PERF_H */
