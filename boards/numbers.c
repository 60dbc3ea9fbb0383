/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of board.mk as constant data, the same for every board: firmware/firmware.mk hands
 * them over as macros, and no other C file of the firmware sees those. */
#include "hal/hal.h"

const struct hal_board hal_board = {
	.name = BOARD_NAME,
	.device_tree = BOARD_DEVICE_TREE != 0,
	.harts_max = BOARD_SMS_MAX + 1,
	.harts = BOARD_SMS + 1,
	.ram_base = BOARD_RAM_BASE,
	.ram_bytes = BOARD_RAM_MIN,
	.cp_base = BOARD_CP_BASE,
	.cp_bytes = BOARD_CP_BYTES,
	.sm_base = BOARD_SM_BASE,
	.sm_bytes = BOARD_SM_BYTES,
	.abi_base = BOARD_ABI_BASE,
	.slots = BOARD_SLOTS,
	.sm_ctas = BOARD_SM_CTAS,
	.sm_warps = BOARD_SM_WARPS,
	.sm_units = BOARD_SM_UNITS,
	.sm_shared = BOARD_SM_SHARED_BYTES,
	.sm_private = BOARD_SM_PRIVATE_BYTES,
	.warp = BOARD_WARP,
};

_Static_assert(BOARD_ABI_BASE - BOARD_RAM_BASE == BOARD_ABI_OFFSET,
	       "BOARD_ABI_OFFSET: the host finds the capability block there");
_Static_assert(BOARD_CP_BASE + BOARD_CP_BYTES <= BOARD_SM_BASE,
	       "the CP's memory overlaps the SMs'");
_Static_assert(BOARD_SM_BASE + BOARD_SM_BYTES <= BOARD_ABI_BASE, "the SM image overlaps the ABI");
_Static_assert(BOARD_SMS >= 1 && BOARD_SMS <= BOARD_SMS_MAX && BOARD_SMS_MAX <= 511,
	       "1 to 511 SMs");
_Static_assert(BOARD_SM_SHARED_BYTES % BOARD_SM_UNITS == 0 &&
		       BOARD_SM_PRIVATE_BYTES % BOARD_SM_UNITS == 0,
	       "units of an SM are equal");
