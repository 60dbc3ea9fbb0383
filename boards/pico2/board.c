/* SPDX-License-Identifier: Apache-2.0 */
/* RP2350: where its devices are. It has no CLINT; hal/drivers/rp2350_sio.c takes the place of clint.c. */
#include "hal/drivers/clint.h"
#include "hal/drivers/pl011_link.h"

const struct clint_map board_clint = {
	.mtime = 0xd00001b0, .hz = 1000000, /* rp2350_machine.c */
};

const struct pl011_link_map board_pl011_link = {
	.base = 0x40070000, /* UART 0 */
	.divisor = 6,       /* 12 MHz / (16 × 115,200) = 6 + 33/64 */
	.fraction = 33,
	.source = 33,
};
