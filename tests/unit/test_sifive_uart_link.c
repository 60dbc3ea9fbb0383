/* SPDX-License-Identifier: Apache-2.0 */
/* SiFive's serial line as the link to the host, against a model of its registers whose interrupts come between any two
 * accesses (S3-R22).
 * sources: hal/drivers/sifive_uart_link.c hal/drivers/line.c tests/unit/line_model.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hal/drivers/sifive_uart_link.h"
#include "tests/unit/line_model.h"

#define FIFO    8u
#define DIVISOR 4339u /* 115,200 bits a second at 500 MHz */

const struct sifive_uart_link_map board_sifive_uart_link = {
	.base = LINE_BASE, .divisor = DIVISOR, .plic = LINE_PLIC, .source = LINE_SOURCE
};

static uint32_t divisor;

/* The word that is read takes the byte away; without one its highest bit is set. */
uint32_t line_register_read(uint32_t offset, uint32_t bytes)
{
	assert_int_equal(bytes, 4);
	if (offset == 0x00) {
		return line.held == line.fifo ? 0x80000000u : 0;
	}
	assert_int_equal(offset, 0x04);
	const bool came = line.received;

	line.received = false;
	return came ? 'r' : 0x80000000u;
}

void line_register_write(uint32_t offset, uint32_t bytes, uint32_t value)
{
	assert_int_equal(bytes, 4);
	if (offset == 0x00) {
		line_put((uint8_t)value);
	} else if (offset == 0x08) {
		assert_int_equal(value, 0x10001); /* on; interrupts with fewer than one byte */
	} else if (offset == 0x0c) {
		assert_int_equal(value, 0x00001); /* on; interrupts with more than no byte */
	} else if (offset == 0x10) {
		line.empty_opened = (value & 1) != 0;
		line.received_opened = (value & 2) != 0;
	} else {
		assert_int_equal(offset, 0x18);
		divisor = value;
	}
}

/* What the frames before have left. */
static void speed_is_set(void **state)
{
	(void)state;
	assert_int_equal(divisor, DIVISOR);
	assert_true(line.source_opened);
	assert_int_equal(line.served, line.interrupts);
}

int main(void)
{
	uint32_t fifo = FIFO;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(line_byte_comes_at_any_access, &fifo),
		cmocka_unit_test(speed_is_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
