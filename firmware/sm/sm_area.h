/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Layout of the memory of the SMs: the CP lays it out with these sums, the SMs find their way with
 * the same ones.
 *
 *     all    = | runtime of SM 0 | runtime of SM 1 | … | units of SM 0 | units of SM 1 | … |
 *     runtime = | struct sm_boot, SM state | M-mode stack |
 *     units  = | unit 0 | unit 1 | … |
 *     window = | private memory, u shares | struct gg_cta | shared memory, u shares | rest |
 *
 * The units of all SMs are contiguous, so that an SM in throttle mode can have those of its
 * neighbours, too (S0-R22): its share is then that of `share_sms` SMs, cut into as many units, each
 * so many times as large. Where its share begins is in its state words.
 *
 * A CTA that takes the units from n on, u of them, gets the bytes of these units as one window:
 * one protection region for all that it owns. Its private memory is first, so a stack that
 * overflows leaves the window downwards and faults (S3-R82). `tp` points at the shared memory and
 * the CTA's block lies just below (S3-R74, S3-R75). Units are whole pages: a region that ends
 * inside a page makes QEMU check each access to that page.
 */
#ifndef FIRMWARE_SM_SM_AREA_H
#define FIRMWARE_SM_SM_AREA_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

#ifndef SM_RUNTIME_BYTES
#define SM_RUNTIME_BYTES 40960u /**< SM state and M-mode stack; whole pages. */
#endif
#ifndef SM_PAGE_BYTES
#define SM_PAGE_BYTES 4096u /**< Runtimes and units are multiples of this; a power of two. */
#endif
#ifndef SM_UNITS_MAX
#define SM_UNITS_MAX 32u /**< Units that an SM has at most, a power of two: bits of a word. */
#endif
#define SM_BELOW_BYTES \
	16u /**< Words of the SM below its runtime, at the end of what lies before it. */
#define SM_BLOCK_BYTES 256u /**< Room for struct gg_cta below the shared memory. */

/** Round up to whole pages. */
static inline uint32_t sm_area_pages(uint32_t bytes)
{
	return (bytes + SM_PAGE_BYTES - 1u) & ~(SM_PAGE_BYTES - 1u);
}

/** Private memory of one unit, in bytes; CAP.sm_private_bytes is a multiple of 128 * sm_units. */
static inline uint32_t sm_area_private_share(const struct gg_cap *cap)
{
	return cap->sm_private_bytes / cap->sm_units;
}

/** Shared memory of one unit, in bytes; CAP.sm_shared_bytes is a multiple of 16 * sm_units. */
static inline uint32_t sm_area_shared_share(const struct gg_cap *cap)
{
	return cap->sm_shared_bytes / cap->sm_units;
}

/** Bytes from one unit to the next. */
static inline uint32_t sm_area_unit_bytes(const struct gg_cap *cap)
{
	return sm_area_pages(sm_area_private_share(cap) + sm_area_shared_share(cap) +
			     SM_BLOCK_BYTES);
}

/** Bytes of the units of one SM, and from the units of one SM to those of the next.
 * @param cap  sm_units, sm_private_bytes and sm_shared_bytes are valid. */
static inline uint32_t sm_area_units_bytes(const struct gg_cap *cap)
{
	return cap->sm_units * sm_area_unit_bytes(cap);
}

#endif /* FIRMWARE_SM_SM_AREA_H */
