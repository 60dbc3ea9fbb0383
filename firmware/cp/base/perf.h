/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Counters of the PERF block, among them why nothing was issued. Written by the CP alone.
 */
#ifndef FIRMWARE_CP_BASE_PERF_H
#define FIRMWARE_CP_BASE_PERF_H

#include <stdint.h>

/** Raise a counter of the PERF block by one; it wraps at 2^32. */
static inline void perf_count(uint32_t *counter)
{
	(*counter)++;
}

/** Raise a pair of counter words. */
static inline void perf_add(uint32_t *low, uint32_t *high, uint32_t amount)
{
	*low += amount;
	*high += *low < amount ? 1u : 0u;
}

#endif /* FIRMWARE_CP_BASE_PERF_H */
