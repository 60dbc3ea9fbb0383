/* SPDX-License-Identifier: Apache-2.0 */
/* The serial line as the link to the host, against a model of a 16550 whose interrupts come between any two accesses
 * (S3-R22).
 * sources: hal/drivers/uart_link.c hal/drivers/line.c tests/unit/line_model.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hal/drivers/uart_link.h"
#include "tests/unit/line_model.h"

#define FIFO 16u

const struct uart_link_map board_uart_link = { .base = LINE_BASE, .stride = 1, .fifo = FIFO };

uint32_t line_register_read(uint32_t offset, uint32_t bytes)
{
	assert_int_equal(bytes, 1);
	if (offset == 0) {
		line.received = false;
		return 'r';
	}
	assert_int_equal(offset, 5);
	return (line.received ? 0x01u : 0) | (line.held == 0 ? 0x20u : 0);
}

void line_register_write(uint32_t offset, uint32_t bytes, uint32_t value)
{
	assert_int_equal(bytes, 1);
	if (offset == 0) {
		line_put((uint8_t)value);
	} else if (offset == 1) {
		line.received_opened = (value & 1) != 0;
		line.empty_opened = (value & 2) != 0;
	}
}

int main(void)
{
	uint32_t fifo = FIFO;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(line_byte_comes_at_any_access, &fifo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
