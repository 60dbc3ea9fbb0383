/* SPDX-License-Identifier: Apache-2.0 */
/* The serial line as the link to the host, against a model of a 16550 whose interrupts come between any two accesses
 * (S3-R22).
 * sources: hal/drivers/uart_link.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hal/drivers/uart_link.h"
#include "hal/irq.h"
#include "hal/link.h"
#include "hal/mmio.h"

#define LINE      0xf0000000u
#define REGISTERS 8u
#define FIFO      16u
#define BYTES_MAX 64u
#define TURNS     500u /* accesses until all is sent and all is received */
#define STORM     100u /* interrupts that no frame of this test needs */

const struct uart_link_map board_uart_link = { .base = LINE, .stride = 1, .fifo = FIFO };

static struct {
	uint32_t enabled; /* the interrupt register: 1 received, 2 transmitter empty */
	uint32_t held;    /* bytes in the transmitter */
	uint32_t accesses;
	uint32_t comes_at; /* access before which a byte comes in */
	bool received;     /* it waits in the receiver */
	bool serving;      /* the handler runs */
	uint32_t interrupts;
	uint32_t sent_bytes;
	uint8_t sent[BYTES_MAX];
} line;

void irq_source_enable(uint32_t sources)
{
	assert_int_equal(sources, IRQ_SOURCE_EXTERNAL);
}

static bool is_raised(void)
{
	return ((line.enabled & 1) != 0 && line.received) ||
	       ((line.enabled & 2) != 0 && line.held == 0);
}

/* What happens before an access: a byte comes, a byte leaves, and interrupts are served. */
static void pass(void)
{
	line.accesses++;
	line.received = line.received || line.accesses == line.comes_at;
	if (line.held > 0 && line.accesses % 3 == 0) {
		line.held--;
	}
	while (!line.serving && is_raised()) {
		line.interrupts++;
		assert_true(line.interrupts < STORM);
		line.serving = true;
		link_interrupt();
		line.serving = false;
	}
}

bool fake_mmio_read(uintptr_t address, uint32_t bytes, uint32_t *value)
{
	pass();
	if (address < LINE || address >= LINE + REGISTERS) {
		return false;
	}
	assert_int_equal(bytes, 1);
	if (address == LINE) {
		line.received = false;
		*value = 'r';
	} else {
		assert_int_equal(address, LINE + 5);
		*value = (line.received ? 0x01u : 0) | (line.held == 0 ? 0x20u : 0);
	}
	return true;
}

bool fake_mmio_write(uintptr_t address, uint32_t bytes, uint32_t value)
{
	pass();
	if (address < LINE || address >= LINE + REGISTERS) {
		return false;
	}
	assert_int_equal(bytes, 1);
	if (address == LINE) {
		assert_true(line.held < FIFO && line.sent_bytes < BYTES_MAX);
		line.held++;
		line.sent[line.sent_bytes] = (uint8_t)value;
		line.sent_bytes++;
	} else if (address == LINE + 1) {
		line.enabled = value;
	}
	return true;
}

/* Sends a frame while a byte comes in before the access of this number. */
static void send(uint32_t frame_bytes, uint32_t comes_at)
{
	static const uint8_t frame[BYTES_MAX] =
		"a frame of the device, as long as the test wants it to be";
	uint8_t byte = 0;

	memset(&line, 0, sizeof(line));
	link_init();
	line.comes_at = line.accesses + comes_at;
	link_send(frame, frame_bytes);
	for (uint32_t i = 0; i < TURNS; i++) {
		(void)link_sending(); /* an access, before which the line goes on */
	}
	assert_false(link_sending());
	assert_int_equal(line.sent_bytes, frame_bytes);
	assert_memory_equal(line.sent, frame, frame_bytes);
	assert_true(link_take(&byte));
	assert_int_equal(byte, 'r');
	assert_false(link_take(&byte));
	assert_int_equal(line.enabled, 1); /* only what comes in interrupts from now on */
}

static void byte_comes_at_any_access(void **state)
{
	const uint32_t lengths[] = { 1, 12, FIFO, FIFO + 1, 40 };

	(void)state;
	for (uint32_t at = 0; at < sizeof(lengths) / sizeof(lengths[0]); at++) {
		for (uint32_t comes_at = 1; comes_at < 200; comes_at++) {
			send(lengths[at], comes_at);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(byte_comes_at_any_access),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
