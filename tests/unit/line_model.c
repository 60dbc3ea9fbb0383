/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/line_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "hal/drivers/plic.h"
#include "hal/irq.h"
#include "hal/link.h"
#include "hal/mmio.h"

#define TURNS      500u /* accesses until all is sent and all is received */
#define PLIC_BYTES 0x300000u
#define STORM      100u /* interrupts that no frame of this test needs */

struct line_model line;

void irq_source_enable(uint32_t sources)
{
	assert_int_equal(sources, IRQ_SOURCE_EXTERNAL);
}

static bool is_raised(void)
{
	return (line.received_opened && line.received) || (line.empty_opened && line.held == 0);
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

static bool is_register(uintptr_t address)
{
	return address >= LINE_BASE && address < LINE_BASE + LINE_REGISTERS;
}

static bool is_controller(uintptr_t address)
{
	return address >= LINE_PLIC && address < LINE_PLIC + PLIC_BYTES;
}

static uint32_t controller_read(uintptr_t offset)
{
	return offset == PLIC_CLAIM && line.source_opened && is_raised() ? LINE_SOURCE : 0;
}

static void controller_write(uintptr_t offset, uint32_t value)
{
	if (offset == PLIC_CLAIM) {
		assert_int_equal(value, LINE_SOURCE);
		line.served++;
	} else if (offset == PLIC_ENABLE + LINE_SOURCE / 32 * 4) {
		assert_int_equal(value, 1u << LINE_SOURCE % 32);
		line.source_opened = true;
	}
}

bool fake_mmio_read(uintptr_t address, uint32_t bytes, uint32_t *value)
{
	pass();
	if (is_controller(address)) {
		*value = controller_read(address - LINE_PLIC);
		return true;
	}
	if (!is_register(address)) {
		return false;
	}
	*value = line_register_read((uint32_t)(address - LINE_BASE), bytes);
	return true;
}

bool fake_mmio_write(uintptr_t address, uint32_t bytes, uint32_t value)
{
	pass();
	if (is_controller(address)) {
		controller_write(address - LINE_PLIC, value);
		return true;
	}
	if (!is_register(address)) {
		return false;
	}
	line_register_write((uint32_t)(address - LINE_BASE), bytes, value);
	return true;
}

void line_put(uint8_t byte)
{
	assert_true(line.held < line.fifo && line.sent_bytes < LINE_SENT_MAX);
	line.held++;
	line.sent[line.sent_bytes] = byte;
	line.sent_bytes++;
}

/* Sends a frame while a byte comes in before the access of this number. */
static void send(uint32_t fifo, uint32_t frame_bytes, uint32_t comes_at)
{
	static const uint8_t frame[LINE_SENT_MAX] =
		"a frame of the device, as long as the test wants it to be";
	uint8_t byte = 0;

	line = (struct line_model){ .fifo = fifo };
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
	/* only what comes in interrupts from now on */
	assert_true(line.received_opened && !line.empty_opened);
}

void line_byte_comes_at_any_access(void **state)
{
	const uint32_t fifo = *(const uint32_t *)*state;
	const uint32_t lengths[] = { 1, 12, fifo, fifo + 1, 40 };

	for (uint32_t at = 0; at < sizeof(lengths) / sizeof(lengths[0]); at++) {
		for (uint32_t comes_at = 1; comes_at < 200; comes_at++) {
			send(fifo, lengths[at], comes_at);
		}
	}
}
