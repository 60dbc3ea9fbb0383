/* SPDX-License-Identifier: Apache-2.0 */
/* CHANGE: where the devices of the board are. One constant for each driver of BOARD_HAL that has
 * a header in hal/drivers/; the header says what the fields mean. */
#include "hal/drivers/clint.h"

const struct clint_map board_clint = {
	.msip = 0x02000000,
	.mtimecmp = 0x02004000,
	.mtime = 0x0200bff8,
	.hz = 1000000,
};
