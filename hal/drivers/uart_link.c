/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/uart_link.h"

#include "hal/drivers/line.h"
#include "hal/drivers/plic.h"
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

static uint8_t *uart(enum uart_register number)
{
	return (uint8_t *)(board_uart_link.base + (uintptr_t)number * board_uart_link.stride);
}

static void receive(void)
{
	for (uint32_t i = 0; i < LINE_BYTES; i++) {
		if ((mmio_read8(uart(REGISTER_STATUS)) & STATUS_RECEIVED) == 0) {
			return;
		}
		line_keep(mmio_read8(uart(REGISTER_DATA)));
	}
}

/* Without a frame the transmitter's interrupt is shut off. It may be open then: a frame that fits into the
 * transmitter goes as a whole when bytes come in after link_send() has handed it over, and before it lets the interrupt
 * through. Left open, the empty transmitter would interrupt forever. */
static void transmit(void)
{
	uint8_t byte;

	if (link_sending() && (mmio_read8(uart(REGISTER_STATUS)) & STATUS_EMPTY) == 0) {
		return;
	}
	for (uint32_t i = 0; i < board_uart_link.fifo && line_next(&byte); i++) {
		mmio_write8(uart(REGISTER_DATA), byte);
	}
	if (!link_sending()) {
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

/* The transmitter is empty, so to let its interrupt through raises it. */
void link_send(const uint8_t *data, uint32_t bytes)
{
	line_begin(data, bytes);
	mmio_write8(uart(REGISTER_INTERRUPTS), INTERRUPT_RECEIVED | INTERRUPT_EMPTY);
}
