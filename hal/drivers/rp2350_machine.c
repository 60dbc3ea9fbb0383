/* SPDX-License-Identifier: Apache-2.0 */
/* hal/machine.h of the RP2350. It is the first that is called, so it also makes ready what the boot ROM leaves off: the
 * 12 MHz crystal, 150 MHz for the cores, a tick each microsecond, and the pins of UART 0 (GPIO 0 and 1). All of it
 * may be done again, also after a warm restart. Addresses and values: datasheet of the RP2350, chapters 7 to 9. */
#include <stddef.h>

#include "hal/drivers/rp2350_sio.h"
#include "hal/machine.h"
#include "hal/mmio.h"
#include "hal/riscv/try.h"

#define CHIP_ID    0x40000000u
#define CHIP_MASK  0x0fffffffu /* without the revision */
#define CHIP       0x00004927u
#define WAIT_POLLS 1000000u /* of one step; the crystal takes a millisecond */

/* The same registers, where a write sets or clears the bits that are 1. */
#define SET   0x2000u
#define CLEAR 0x3000u

#define CLOCKS     0x40010000u
#define REF_CTRL   (CLOCKS + 0x30u)
#define REF_IS     (CLOCKS + 0x38u)
#define SYS_CTRL   (CLOCKS + 0x3cu)
#define SYS_IS     (CLOCKS + 0x44u)
#define UART_CLOCK (CLOCKS + 0x48u)
#define RESETS     0x40020000u
#define RESET_DONE (RESETS + 8u)
#define PINS       0x40028000u
#define PADS       0x40038000u
#define CRYSTAL    0x40048000u
#define PLL        0x40050000u
#define TICKS      0x4010803cu

#define RESET_PLL  0x00004000u
#define RESET_LINE 0x04000240u /* UART 0, pins, pads */

/* A write, and what has to become 1 after it. */
struct step {
	uint32_t address;
	uint32_t value;
	uint32_t look; /* address; 0: nothing */
	uint32_t bits;
};

static const struct step steps[] = {
	{ RESETS + CLEAR, RESET_LINE, RESET_DONE, RESET_LINE },
	{ CRYSTAL + 0x0c, 47, 0, 0 },                     /* 47 × 256 periods: a millisecond */
	{ CRYSTAL, 0x00fabaa0, CRYSTAL + 4, 0x80000000 }, /* on, 1 to 15 MHz; stable */
	{ SYS_CTRL + CLEAR, 1, SYS_IS, 1 },               /* cores: from the reference for now */
	{ REF_CTRL, 2, REF_IS, 4 },                       /* reference: the crystal */
	{ RESETS + SET, RESET_PLL, 0, 0 },
	{ RESETS + CLEAR, RESET_PLL, RESET_DONE, RESET_PLL },
	{ PLL, 1, 0, 0 },                           /* 12 MHz / 1 */
	{ PLL + 8, 125, 0, 0 },                     /* × 125 */
	{ PLL + 4 + CLEAR, 0x21, PLL, 0x80000000 }, /* power; locked */
	{ PLL + 12, 5u << 16 | 2u << 12, 0, 0 },    /* / 5 / 2: 150 MHz */
	{ PLL + 4 + CLEAR, 0x08, 0, 0 },            /* power of the two dividers */
	{ SYS_CTRL + CLEAR, 0xe0, 0, 0 },           /* cores: from the PLL */
	{ SYS_CTRL + SET, 1, SYS_IS, 2 },
	{ UART_CLOCK, 0, 0, 0 },           /* off while its source changes */
	{ UART_CLOCK, 4u << 5, 0, 0 },     /* the crystal */
	{ UART_CLOCK + SET, 0x800, 0, 0 }, /* on */
	{ TICKS + 4, 12, 0, 0 },           /* a tick each 12 periods of the reference */
	{ TICKS, 1, 0, 0 },
	{ RP2350_SIO + RP2350_MTIME_CTRL, 1, 0,
	  0 },                    /* time counts ticks, also while a debugger holds a core */
	{ PADS + 4, 0x52, 0, 0 }, /* GPIO 0: an input and an output, not isolated */
	{ PADS + 8, 0x5a, 0, 0 }, /* GPIO 1: the same, pulled up: an open line is silent */
	{ PINS + 4, 2, 0, 0 },    /* UART 0 sends */
	{ PINS + 12, 2, 0, 0 },   /* UART 0 receives */
};

static bool take(const struct step *step)
{
	mmio_write32(mmio_word(step->address, 0), step->value);
	if (step->look == 0) {
		return true;
	}
	for (uint32_t poll = 0; poll < WAIT_POLLS; poll++) {
		if ((mmio_read32(mmio_word(step->look, 0)) & step->bits) == step->bits) {
			return true;
		}
	}
	return false;
}

bool machine_ask(struct machine_facts *facts)
{
	uint32_t chip;

	if (!try_load(CHIP_ID, &chip) || (chip & CHIP_MASK) != CHIP) {
		return false;
	}
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (!take(&steps[i])) {
			return false;
		}
	}
	*facts = (struct machine_facts){ .harts = 2 };
	return true;
}
