/* SPDX-License-Identifier: Apache-2.0 */
/* Start of a NEORV32's second hart: from its boot ROM to the start code, before anything is started there
 * (architecture §11, softcores.md); its UART.
 * sources: hal/drivers/neorv32_harts.c hal/drivers/neorv32_machine.c hal/drivers/neorv32_uart.c hal/drivers/clint.c
 *   hal/drivers/time_mmio.c tests/rtl/models/neorv32_registers.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hal/console.h"
#include "hal/drivers/clint.h"
#include "hal/drivers/neorv32_harts.h"
#include "hal/drivers/neorv32_uart.h"
#include "hal/hal.h"
#include "hal/hart.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/machine.h"
#include "hal/timer.h"
#include "tests/rtl/models/neorv32_registers.h"

#define START 0x80001000u
#define POLLS 1000u

/* The constants of boards/neorv32. */
const struct hal_board hal_board = { .cp_base = START };
const struct clint_map board_clint = {
	.msip = 0xfff40000,
	.mtimecmp = 0xfff44000,
	.mtime = 0xfff4bff8,
	.hz = 100000000,
};
const struct neorv32_harts_map board_neorv32_harts = {
	.sysinfo = 0xfffe0000,
	.wait_polls = POLLS,
};
const struct neorv32_uart_map board_neorv32_uart = {
	.base = 0xfff50000,
	.wait_polls = POLLS,
};

static uint32_t sources;

uint32_t hart_id(void)
{
	return 1;
}

void irq_source_enable(uint32_t enabled)
{
	sources |= enabled;
}

void irq_source_disable(uint32_t disabled)
{
	sources &= ~disabled;
}

static int reset(void **state)
{
	(void)state;
	neorv32 = (struct neorv32_registers){
		.second = SECOND_BOOT_ROM,
		.delay = 20,
		.uart_enabled = true,
		.uart_room = 4,
		.uart_drain = 50,
	};
	return 0;
}

/* The first start after it is an interrupt of its own: none is lost, however late the hart is. */
static void boot_rom_hart_reaches_the_start_code(void **state)
{
	(void)state;
	for (uint32_t delay = 0; delay < POLLS - 10; delay += 97) {
		reset(NULL);
		neorv32.delay = delay;
		assert_true(hart_gather());
		assert_int_equal(neorv32.second, SECOND_AT_ENTRY);
		assert_int_equal(neorv32.entry, START);
		assert_int_equal(neorv32.msip[1], 0);
		assert_int_equal(neorv32.wakes, 0);

		ipi_send(1);
		for (uint32_t i = 0; i <= delay; i++) {
			(void)timer_now();
		}
		assert_int_equal(neorv32.wakes, 1);
	}
}

/* With a custom boot address all harts begin in the start code. */
static void hart_that_is_there_stays_there(void **state)
{
	(void)state;
	neorv32.second = SECOND_AT_ENTRY;
	assert_true(hart_gather());
	assert_int_equal(neorv32.wakes, 1); /* with nothing asked for it sleeps on */
	assert_int_equal(neorv32.entry, 0);
}

static void missing_hart_is_not_waited_for(void **state)
{
	struct machine_facts facts;

	(void)state;
	assert_true(machine_ask(&facts));
	assert_int_equal(facts.harts, 2);
	assert_int_equal(facts.ram_bytes, 0);
	neorv32.second = SECOND_ABSENT;
	assert_true(machine_ask(&facts));
	assert_int_equal(facts.harts, 1);
	neorv32.accesses = 0;
	assert_false(hart_gather());
	assert_int_equal(neorv32.msip[1], 0);
	assert_int_equal(neorv32.accesses, 1);
}

static void dead_hart_is_given_up(void **state)
{
	(void)state;
	neorv32.second = SECOND_DEAD;
	assert_false(hart_gather());
	assert_in_range(neorv32.accesses, POLLS, POLLS + 10);
}

/* What the boot ROM got as entry is a deadline far away; a real one replaces it at once. */
static void deadline_of_the_hart_is_its_own_again(void **state)
{
	(void)state;
	assert_true(hart_gather());
	assert_true(neorv32.mtimecmp[1] > (uint64_t)1 << 62);
	timer_set(0x123456789abcu);
	assert_true(neorv32.mtimecmp[1] == 0x123456789abcu);
	assert_int_equal(sources, IRQ_SOURCE_TIMER);
	timer_cancel();
	assert_int_equal(sources, 0);
}

static void text_waits_for_room(void **state)
{
	const char text[] = "ten chars\n";

	(void)state;
	console_write(text, 10);
	assert_int_equal(neorv32.sent_bytes, 10);
	assert_memory_equal(neorv32.sent, text, 10);
	assert_int_equal(neorv32.lost, 0);
}

static void stuck_line_drops_text(void **state)
{
	(void)state;
	neorv32.uart_drain = 0;
	console_write("abcdef", 6);
	assert_int_equal(neorv32.sent_bytes, 4);
	assert_int_equal(neorv32.lost, 0);
	assert_in_range(neorv32.accesses, 2 * POLLS, 2 * POLLS + 10);
}

static void line_that_is_off_is_not_waited_for(void **state)
{
	(void)state;
	neorv32.uart_enabled = false;
	console_write("abcdef", 6);
	assert_int_equal(neorv32.accesses, 6);
	assert_int_equal(neorv32.lost, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(boot_rom_hart_reaches_the_start_code, reset),
		cmocka_unit_test_setup(hart_that_is_there_stays_there, reset),
		cmocka_unit_test_setup(missing_hart_is_not_waited_for, reset),
		cmocka_unit_test_setup(dead_hart_is_given_up, reset),
		cmocka_unit_test_setup(deadline_of_the_hart_is_its_own_again, reset),
		cmocka_unit_test_setup(text_waits_for_room, reset),
		cmocka_unit_test_setup(stuck_line_drops_text, reset),
		cmocka_unit_test_setup(line_that_is_off_is_not_waited_for, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
