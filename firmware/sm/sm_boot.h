/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the control processor tells an SM when it starts it (S1-R100).
 *
 * One struct lies at the first byte of each SM's runtime (sm_area.h). The CP writes all of it, then
 * calls hart_start(hart, entry of the SM image, address of the struct). 32-bit words only, so that
 * it is the same for both XLENs.
 */
#ifndef FIRMWARE_SM_SM_BOOT_H
#define FIRMWARE_SM_SM_BOOT_H

#include <stdint.h>

/** Argument of sm_start. The CP writes every word before it starts the hart, and none after that. */
struct sm_boot {
	uint32_t cap_lo;   /**< Address of the capability block; its geometry and offsets
	                           are valid by now, and the SM's share in its state words. */
	uint32_t cap_hi;   /**< High word. */
	uint32_t sm;       /**< Number of this SM: its entry in the blocks. */
	uint32_t features; /**< Bit n: the board has feature n (enum gg_feature); the SM reports
	                           those of them that it finds. */
	uint32_t
		pmp_entries; /**< PMP entries that the SM may use; it reports those that it finds. */
	uint32_t slice_ticks; /**< Time slice while several CTAs are resident, in ticks; many times
	                           what a switch takes (some 500 instructions). */
	uint32_t
		faults; /**< Sequence of the SM's last fault record: 0 at boot. The SM counts on, also when it
	                           was reset in between. */
	uint32_t
		look; /**< Written by the SM: where its SM LOOK table is, in bytes from this struct; 0
	                           until it has started. */
};
_Static_assert(sizeof(struct sm_boot) == 32, "shared with the CP");

#endif /* FIRMWARE_SM_SM_BOOT_H */
