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
_Static_assert(BOARD_CP_IMAGE_BYTES + BOARD_CP_STACK_BYTES < BOARD_CP_BYTES,
	       "BOARD_CP_BYTES has image, data and stack");
_Static_assert(BOARD_RAM_BASE <= BOARD_CP_BASE, "the CP's memory lies in RAM");
_Static_assert(BOARD_ABI_OFFSET + 0x10000ull < BOARD_RAM_MIN,
	       "RAM ends before blocks, SMs and tasks have room behind the capability block");
_Static_assert(BOARD_ABI_BASE % 4096 == 0, "the capability block begins on a page");
_Static_assert((BOARD_SM_SHARED_BYTES / BOARD_SM_UNITS &
		(BOARD_SM_SHARED_BYTES / BOARD_SM_UNITS - 1)) == 0 &&
		       (BOARD_SM_PRIVATE_BYTES / BOARD_SM_UNITS &
			(BOARD_SM_PRIVATE_BYTES / BOARD_SM_UNITS - 1)) == 0,
	       "the bytes of a unit are powers of two");

/* Tables that the board has made smaller (BOARD_TABLES) hold what it has. */
#ifdef CP_SMS
_Static_assert(BOARD_SMS_MAX <= CP_SMS, "CP_SMS of BOARD_TABLES: more SMs than that");
#endif
#ifdef CP_GPCS
_Static_assert(BOARD_SMS_MAX <= 4 * CP_GPCS || CP_GPCS >= 8,
	       "CP_GPCS of BOARD_TABLES: at boot a GPC has four SMs, up to eight GPCs");
#endif
#ifdef CP_SLOTS
_Static_assert(BOARD_SLOTS == CP_SLOTS, "CP_SLOTS of BOARD_TABLES is BOARD_SLOTS");
#endif
#ifdef CP_UNITS
_Static_assert(BOARD_SM_UNITS <= CP_UNITS, "CP_UNITS of BOARD_TABLES: an SM has more units");
#endif
#ifdef SM_UNITS_MAX
_Static_assert(BOARD_SM_UNITS <= SM_UNITS_MAX,
	       "SM_UNITS_MAX of BOARD_TABLES: an SM has more units");
#endif
