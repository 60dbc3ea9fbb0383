/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Bit fields and pairs of words of the ABI, from the masks of firmware/abi/ganger_abi.h.
 */
#ifndef FIRMWARE_ABI_FIELD_H
#define FIRMWARE_ABI_FIELD_H

#include <stdint.h>

/** Value of the bit field under a mask (not zero). */
static inline uint32_t gg_get(uint32_t word, uint32_t mask)
{
	return (word & mask) / (mask & (~mask + 1u));
}

/** A word that has only this bit field; bits that do not fit are lost. */
static inline uint32_t gg_put(uint32_t mask, uint32_t value)
{
	return (value * (mask & (~mask + 1u))) & mask;
}

/** `tmd.coalesce_us` of a grid has so many bits for each axis, x in the lowest ones: threads of the last CTA along it. */
#define GG_EDGE_BITS 10u
/** The bits of x. */
#define GG_EDGE_MASK ((1u << GG_EDGE_BITS) - 1u)

/** 64-bit value of a pair of words. */
static inline uint64_t gg_join(uint32_t low, uint32_t high)
{
	return (uint64_t)high << 32 | low;
}

/** Low word of a 64-bit value. */
static inline uint32_t gg_low(uint64_t value)
{
	return (uint32_t)value;
}

/** High word of a 64-bit value. */
static inline uint32_t gg_high(uint64_t value)
{
	return (uint32_t)(value >> 32);
}

/** Put a 64-bit value into a pair of words. */
static inline void gg_split(uint32_t *low, uint32_t *high, uint64_t value)
{
	*low = gg_low(value);
	*high = gg_high(value);
}

#endif /* FIRMWARE_ABI_FIELD_H */
