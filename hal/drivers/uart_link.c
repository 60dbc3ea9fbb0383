/* SPDX-License-Identifier: Apache-2.0 */
/* The interrupt handler writes `put` of the ring, and the loop writes `get`. The frame that is sent belongs to the
 * loop until link_send(), then to the handler until all of it has gone. */
#include "hal/drivers/uart_link.h"

#include "hal/drivers/plic.h"
#include "hal/fence.h"
#include "hal/irq.h"
#include "hal/link.h"
#include "hal/mmio.h"

enum uart_register {
	REGISTER_DATA = 0,       /* and the divisor's low byte */
	REGISTER_INTERRUPTS = 1, /* and its high byte */
	REGISTER_FIFO = 2,
	REGISTER_FORMAT = 3,
	REGISTER_MODEM = 4,
	REGISTER_STATUS = 5,
};

#define INTERRUPT_RECEIVED 0x01u
#define INTERRUPT_EMPTY    0x02u
#define FIFO_CLEAR         0x87u /* on, both empty; an interrupt for 8, or for fewer after a pause */
#define FORMAT_8N1         0x03u
#define FORMAT_DIVISOR     0x80u
#define MODEM_INTERRUPT    0x0bu /* DTR, RTS; OUT2, which on some boards lets the interrupt out */
#define STATUS_RECEIVED    0x01u
#define STATUS_EMPTY       0x20u

#define RING_BYTES 512u /* a power of two: a frame, and what a host repeats meanwhile */

static uint8_t ring[RING_BYTES];
static uint32_t put; /* bytes that came; written by the handler */
static uint32_t get; /* bytes that were taken; written by the loop */
static const uint8_t *data;
static uint32_t left; /* bytes of `data` that have not gone */

static uint8_t *uart(enum uart_register number)
{
	return (uint8_t *)(board_uart_link.base + (uintptr_t)number * board_uart_link.stride);
}

static void receive(void)
{
	/* The loop is bounded: a line that never stops would keep the firmware from its work. */
	for (uint32_t i = 0; i < RING_BYTES; i++) {
		if ((mmio_read8(uart(REGISTER_STATUS)) & STATUS_RECEIVED) == 0) {
			return;
		}
		const uint8_t byte = mmio_read8(uart(REGISTER_DATA));

		if (put - mmio_read32(&get) < RING_BYTES) {
			mmio_write8(&ring[put % RING_BYTES], byte);
			mmio_write32(&put, put + 1);
		}
	}
}

/* Without a frame the transmitter's interrupt is shut off. It may be open then: a frame that fits into the
 * transmitter goes as a whole when bytes come in after link_send() has written `left`, and before it lets the interrupt
 * through. Left open, the empty transmitter would interrupt forever. */
static void transmit(void)
{
	if (left > 0 && (mmio_read8(uart(REGISTER_STATUS)) & STATUS_EMPTY) == 0) {
		return;
	}
	for (uint32_t i = 0; i < board_uart_link.fifo && left > 0; i++) {
		mmio_write8(uart(REGISTER_DATA), *data);
		data++;
		mmio_write32(&left, left - 1);
	}
	if (left == 0) {
		mmio_write8(uart(REGISTER_INTERRUPTS), INTERRUPT_RECEIVED);
	}
}

void link_interrupt(void)
{
	const uint32_t source = board_uart_link.plic == 0 ? 0 : plic_claim(board_uart_link.plic);

	receive();
	transmit();
	if (source != 0) {
		plic_complete(board_uart_link.plic, source);
	}
}

void link_init(void)
{
	if (board_uart_link.divisor != 0) {
		mmio_write8(uart(REGISTER_FORMAT), FORMAT_8N1 | FORMAT_DIVISOR);
		mmio_write8(uart(REGISTER_DATA), (uint8_t)board_uart_link.divisor);
		mmio_write8(uart(REGISTER_INTERRUPTS), (uint8_t)(board_uart_link.divisor >> 8));
		mmio_write8(uart(REGISTER_FORMAT), FORMAT_8N1);
	}
	mmio_write8(uart(REGISTER_FIFO), FIFO_CLEAR);
	(void)mmio_read8(uart(REGISTER_DATA)); /* an emulator goes on receiving only after a read */
	mmio_write8(uart(REGISTER_MODEM), MODEM_INTERRUPT);
	mmio_write8(uart(REGISTER_INTERRUPTS), INTERRUPT_RECEIVED);
	if (board_uart_link.plic != 0) {
		plic_enable(board_uart_link.plic, board_uart_link.source);
	}
	irq_source_enable(IRQ_SOURCE_EXTERNAL);
}

bool link_take(uint8_t *byte)
{
	if (mmio_read32(&put) == get) {
		return false;
	}
	*byte = mmio_read8(&ring[get % RING_BYTES]);
	mmio_write32(&get, get + 1);
	return true;
}

/* The transmitter is empty, so to let its interrupt through raises it. */
void link_send(const uint8_t *bytes_to_send, uint32_t bytes)
{
	data = bytes_to_send;
	fence_full(); /* the handler sees what it is to send */
	mmio_write32(&left, bytes);
	mmio_write8(uart(REGISTER_INTERRUPTS), INTERRUPT_RECEIVED | INTERRUPT_EMPTY);
}

bool link_sending(void)
{
	return mmio_read32(&left) != 0;
}
