/* SPDX-License-Identifier: Apache-2.0 */
/* LiteX's serial line against a model of its CSRs (architecture §11, softcores.md).
 * sources: hal/drivers/litex_uart.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hal/console.h"
#include "hal/drivers/litex_uart.h"
#include "hal/mmio.h"

#define POLLS 1000u
#define DEPTH 16u

/* Far from each other: nothing may be worked out from another address. */
const struct litex_uart_map board_litex_uart = {
	.rxtx = 0xf0001000,
	.txfull = 0xf0002804,
	.rxempty = 0xf0003008,
	.ev_pending = 0xf0004010,
	.wait_polls = POLLS,
};

static struct {
	uint32_t held;  /* characters in the line's buffer */
	uint32_t drain; /* accesses until one leaves it; 0: never */
	uint32_t accesses;
	uint32_t bytes;
	char sent[64];
} line;

static int reset(void **state)
{
	(void)state;
	line.held = 0;
	line.drain = 30;
	line.accesses = 0;
	line.bytes = 0;
	return 0;
}

static void pass(uint32_t bytes)
{
	assert_int_equal(bytes, 4);
	line.accesses++;
	if (line.drain != 0 && line.accesses % line.drain == 0 && line.held != 0) {
		line.held--;
	}
}

bool fake_mmio_read(uintptr_t address, uint32_t bytes, uint32_t *value)
{
	assert_int_equal(address, board_litex_uart.txfull);
	pass(bytes);
	*value = line.held == DEPTH ? 1 : 0;
	return true;
}

bool fake_mmio_write(uintptr_t address, uint32_t bytes, uint32_t value)
{
	assert_int_equal(address, board_litex_uart.rxtx);
	pass(bytes);
	assert_in_range(value, 0, 255);
	assert_true(line.held < DEPTH && line.bytes < sizeof(line.sent));
	line.held++;
	line.sent[line.bytes++] = (char)value;
	return true;
}

static void text_waits_for_room(void **state)
{
	const char text[] = "forty characters, more than there is room";

	(void)state;
	console_write(text, 40);
	assert_int_equal(line.bytes, 40);
	assert_memory_equal(line.sent, text, 40);
}

static void characters_are_bytes(void **state)
{
	(void)state;
	console_put('\xff');
	assert_int_equal(line.bytes, 1);
	assert_int_equal((unsigned char)line.sent[0], 255);
}

static void stuck_line_drops_text(void **state)
{
	(void)state;
	line.drain = 0;
	for (uint32_t i = 0; i < DEPTH + 3; i++) {
		console_put('x');
	}
	assert_int_equal(line.bytes, DEPTH);
	assert_in_range(line.accesses, 3 * POLLS, 3 * POLLS + 3 * DEPTH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(text_waits_for_room, reset),
		cmocka_unit_test_setup(characters_are_bytes, reset),
		cmocka_unit_test_setup(stuck_line_drops_text, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
