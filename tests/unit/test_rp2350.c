/* SPDX-License-Identifier: Apache-2.0 */
/* Drivers of the board pico2 against a model of the RP2350's registers: the way of core 1 from the boot ROM to the start
 * code, clocks and pins, software interrupts, the serial line (architecture §11).
 * sources: hal/drivers/rp2350_harts.c hal/drivers/rp2350_machine.c hal/drivers/rp2350_sio.c hal/drivers/pl011_link.c
 *   hal/drivers/line.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hal/drivers/clint.h"
#include "hal/drivers/line.h"
#include "hal/drivers/pl011_link.h"
#include "hal/drivers/rp2350_sio.h"
#include "hal/drivers/xh3irq.h"
#include "hal/hal.h"
#include "hal/hart.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/link.h"
#include "hal/machine.h"
#include "hal/mmio.h"
#include "hal/riscv/try.h"
#include "hal/timer.h"

#define START  0x20000000u
#define UART   0x40070000u
#define WORDS  6u
#define FIFO   32u
#define LEVEL  4u /* of the transmitter's queue: an eighth */
#define NEVER  0xffffffffu
#define EVENTS 128u

/* The constants of boards/pico2. */
const struct hal_board hal_board = { .cp_base = START };
const struct clint_map board_clint = { .mtime = 0xd00001b0, .hz = 1000000 };
const struct pl011_link_map board_pl011_link = {
	.base = UART,
	.divisor = 6,
	.fraction = 33,
	.source = 33,
};

static struct {
	uint32_t chip;              /* CHIP_ID */
	bool core1;                 /* it is there, and waits in the boot ROM */
	bool babbles;               /* no word comes back as it was */
	uint32_t wrong_at;          /* number of the word that comes back wrong, once */
	uint32_t got[WORDS];        /* since its last first word */
	uint32_t count;             /* of them */
	uint32_t words;             /* in all */
	uint32_t back, back_is;     /* the word that goes back, and whether there is one */
	uint32_t softirq;           /* software interrupts that are raised */
	uint32_t mtimecmp[2];       /* as written last */
	uint32_t never;             /* address whose status stays 0 */
	uint32_t order[EVENTS];     /* addresses that were written, of clocks and pins */
	uint32_t writes;            /* number of them */
	uint32_t pll_on;            /* cores ran from the PLL while it was reset or without power */
	uint32_t queue, sent, room; /* transmitter: bytes in its queue, all bytes, its interrupt */
	uint8_t line[200];          /* what was sent */
	uint32_t uart[0x48 / 4];    /* its other registers, as written */
	uint32_t sources, source;   /* of interrupts that are let through; at the controller */
} chip;

/* The boot ROM wants {0, 0, 1, mtvec, stack, entry}, and sends each word back. */
static void core1_gets(uint32_t word)
{
	static const uint32_t wanted[] = { 0, 0, 1 };
	const bool wrong = chip.words++ == chip.wrong_at || chip.babbles;

	if (!chip.core1) {
		return;
	}
	if (wrong || (chip.count < 3 && word != wanted[chip.count])) {
		chip.count = 0;
		chip.back = wrong ? 77 : word;
	} else {
		assert_in_range(chip.count, 0, WORDS - 1);
		chip.got[chip.count++] = word;
		chip.back = word;
	}
	chip.back_is = 1;
}

void rp2350_unblock(void)
{
}

bool try_load(uintptr_t address, uint32_t *value)
{
	assert_int_equal(address, 0x40000000);
	*value = chip.chip;
	return chip.chip != 0;
}

uint32_t hart_id(void)
{
	return 0;
}

void irq_source_enable(uint32_t sources)
{
	chip.sources |= sources;
}

void irq_source_disable(uint32_t sources)
{
	chip.sources &= ~sources;
}

void xh3irq_enable_only(uint32_t source)
{
	chip.source = source;
}

static void clock_write(uint32_t address, uint32_t value)
{
	const bool pll = address == 0x40022000 || (address & 0xffffcfffu) == 0x40050000;
	static bool from_pll;

	assert_in_range(chip.writes, 0, EVENTS - 1);
	chip.order[chip.writes++] = address;
	if (address == 0x4001303c && (value & 1) != 0) {
		from_pll = false;
	}
	if (address == 0x4001203c && (value & 1) != 0) {
		from_pll = true;
	}
	if (pll && from_pll) {
		chip.pll_on++;
	}
}

static uint32_t uart_read(uint32_t offset)
{
	if (offset == 0x18) {
		return 0x10u | (chip.queue == FIFO ? 0x20u : 0);
	}
	return chip.uart[offset / 4];
}

static void uart_write(uint32_t offset, uint32_t value)
{
	if (offset == 0) {
		assert_true(chip.queue < FIFO);
		chip.line[chip.sent++] = (uint8_t)value;
		chip.queue++;
	} else if (offset == 0x44) {
		chip.room = (value & 0x20) != 0 ? 0 : chip.room;
	} else {
		chip.uart[offset / 4] = value;
	}
}

/* The line takes a byte: the interrupt comes when the queue goes down to its level, and never else. */
static void line_takes(void)
{
	chip.queue--;
	if (chip.queue == LEVEL) {
		chip.room = 1;
	}
}

bool fake_mmio_read(uintptr_t address, uint32_t bytes, uint32_t *value)
{
	if (address < 0x40000000 || address > 0xffffffff) {
		return false;
	}
	assert_int_equal(bytes, 4);
	*value = NEVER; /* what a step of the clocks waits for has happened */
	if (address == chip.never) {
		*value = 0;
	} else if (address == RP2350_SIO + RP2350_FIFO_STATE) {
		*value = 2 | chip.back_is;
	} else if (address == RP2350_SIO + RP2350_FIFO_READ) {
		*value = chip.back;
		chip.back_is = 0;
	} else if (address >> 12 == UART >> 12) {
		*value = uart_read(address & 0xfff);
	}
	return true;
}

bool fake_mmio_write(uintptr_t address, uint32_t bytes, uint32_t value)
{
	if (address < 0x40000000 || address > 0xffffffff) {
		return false;
	}
	assert_int_equal(bytes, 4);
	switch (address) {
	case RP2350_SIO + RP2350_FIFO_WRITE:
		core1_gets(value);
		break;
	case RP2350_SIO + RP2350_SOFTIRQ:
		chip.softirq = (chip.softirq & ~(value >> 8)) | (value & 3);
		break;
	case RP2350_SIO + RP2350_MTIMECMP:
	case RP2350_SIO + RP2350_MTIMECMP + 4:
		chip.mtimecmp[address / 4 % 2] = value;
		break;
	default:
		if (address >> 12 == UART >> 12) {
			uart_write(address & 0xfff, value);
		} else {
			clock_write((uint32_t)address, value);
		}
	}
	return true;
}

static int reset(void **state)
{
	(void)state;
	memset(&chip, 0, sizeof(chip));
	chip.chip = 0x20004927; /* the second revision */
	chip.core1 = true;
	chip.wrong_at = NEVER;
	return 0;
}

static void core_1_reaches_the_start_code(void **state)
{
	static const uint32_t words[WORDS] = { 0, 0, 1, START, START, START };

	(void)state;
	for (uint32_t wrong = 0; wrong <= WORDS; wrong++) {
		reset(NULL);
		chip.wrong_at = wrong;
		chip.back_is = wrong % 2; /* something of an earlier run is in the queue */
		assert_true(hart_gather());
		assert_memory_equal(chip.got, words, sizeof(words));
		assert_int_equal(chip.words, wrong == WORDS ? WORDS : WORDS + wrong + 1);
	}
}

/* No core, and one that answers each word with another: both are given up. */
static void core_1_that_is_missing_is_given_up(void **state)
{
	(void)state;
	chip.core1 = false;
	assert_false(hart_gather());
	assert_int_equal(chip.words, 1);
	reset(NULL);
	chip.babbles = true;
	assert_false(hart_gather());
	assert_in_range(chip.words, WORDS, 200);
}

static void another_chip_is_refused(void **state)
{
	struct machine_facts facts;

	(void)state;
	chip.chip = 0x10002927; /* an RP2040 */
	assert_false(machine_ask(&facts));
	chip.chip = 0;
	assert_false(machine_ask(&facts));
	assert_int_equal(chip.writes, 0);
}

/* Also a second time, when the cores run from the PLL: it is not touched before they have left it. */
static void clocks_and_pins_are_made_ready(void **state)
{
	struct machine_facts facts;

	(void)state;
	assert_true(machine_ask(&facts));
	assert_int_equal(facts.harts, 2);
	assert_int_equal(facts.ram_bytes, 0);
	const uint32_t writes = chip.writes;

	assert_true(machine_ask(&facts));
	assert_int_equal(chip.writes, 2 * writes);
	assert_int_equal(chip.order[writes - 1], 0x4002800c);
	assert_int_equal(chip.pll_on, 0);
}

static void a_clock_that_does_not_start_is_a_fault(void **state)
{
	static const uint32_t looks[] = { 0x40020008, 0x40048004, 0x40010044, 0x40010038,
					  0x40050000 };
	struct machine_facts facts;

	(void)state;
	for (uint32_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		chip.never = looks[i];
		assert_false(machine_ask(&facts));
	}
}

static void software_interrupts_and_deadlines(void **state)
{
	(void)state;
	ipi_send(0);
	ipi_send(1);
	assert_int_equal(chip.softirq, 3);
	ipi_clear();
	assert_int_equal(chip.softirq, 2);
	assert_int_equal(timer_hz(), 1000000);
	timer_set(0x123456789abcu);
	assert_int_equal(chip.mtimecmp[0], 0x56789abc);
	assert_int_equal(chip.mtimecmp[1], 0x1234);
	assert_int_equal(chip.sources, IRQ_SOURCE_TIMER);
	timer_cancel();
	assert_int_equal(chip.sources, 0);
}

/* Frames of all sizes around those of the queue go as they are, and each end is told by an interrupt. */
static void frames_are_sent(void **state)
{
	uint8_t frame[100];

	(void)state;
	for (uint32_t i = 0; i < sizeof(frame); i++) {
		frame[i] = (uint8_t)(i * 7 + 1);
	}
	for (uint32_t bytes = 1; bytes <= sizeof(frame); bytes++) {
		bool ended;

		reset(NULL);
		link_init();
		assert_int_equal(chip.source, 33);
		assert_int_equal(chip.uart[0x24 / 4] * 64 + chip.uart[0x28 / 4], 6 * 64 + 33);
		assert_int_equal(chip.uart[0x38 / 4], 0x70);
		link_send(frame, bytes);
		assert_int_equal(chip.sources, IRQ_SOURCE_EXTERNAL);
		ended = chip.softirq == 1;
		assert_int_equal(ended, bytes <= FIFO);
		while (chip.queue != 0) {
			line_takes();
			if (chip.room != 0) {
				const bool sending = link_sending();

				link_interrupt();
				assert_int_equal(chip.room, 0);
				ended |= sending && !link_sending();
			}
		}
		assert_true(ended);
		assert_false(link_sending());
		assert_int_equal(chip.sent, bytes);
		assert_memory_equal(chip.line, frame, bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(core_1_reaches_the_start_code, reset),
		cmocka_unit_test_setup(core_1_that_is_missing_is_given_up, reset),
		cmocka_unit_test_setup(another_chip_is_refused, reset),
		cmocka_unit_test_setup(clocks_and_pins_are_made_ready, reset),
		cmocka_unit_test_setup(a_clock_that_does_not_start_is_a_fault, reset),
		cmocka_unit_test_setup(software_interrupts_and_deadlines, reset),
		cmocka_unit_test_setup(frames_are_sent, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
