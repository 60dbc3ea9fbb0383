/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/sifive_uart_link.h"

#include "hal/drivers/line.h"
#include "hal/drivers/plic.h"
#include "hal/irq.h"
#include "hal/link.h"
#include "hal/mmio.h"

enum uart_register {
	REGISTER_SEND = 0x00,
	REGISTER_RECEIVE = 0x04,
	REGISTER_SEND_CONTROL = 0x08,
	REGISTER_RECEIVE_CONTROL = 0x0c,
	REGISTER_INTERRUPTS = 0x10,
	REGISTER_DIVISOR = 0x18,
};

#define SEND_FULL          0x80000000u
#define RECEIVE_EMPTY      0x80000000u
#define SEND_ON            0x00010001u /* interrupts while fewer than one byte waits to go */
#define RECEIVE_ON         0x00000001u /* interrupts while more than no byte waits to be read */
#define INTERRUPT_SEND     0x1u
#define INTERRUPT_RECEIVED 0x2u
#define FIFO               8u

static uint32_t *uart(enum uart_register number)
{
	return mmio_word(board_sifive_uart_link.base, number);
}

/* One read says whether there was a byte, and takes it. */
static void receive(void)
{
	for (uint32_t i = 0; i < LINE_BYTES; i++) {
		const uint32_t word = mmio_read32(uart(REGISTER_RECEIVE));

		if ((word & RECEIVE_EMPTY) != 0) {
			return;
		}
		line_keep((uint8_t)word);
	}
}

/* As in uart_link.c: without a frame the transmitter's interrupt is shut off. */
static void transmit(void)
{
	uint8_t byte;

	for (uint32_t i = 0;
	     i < FIFO && (mmio_read32(uart(REGISTER_SEND)) & SEND_FULL) == 0 && line_next(&byte);
	     i++) {
		mmio_write32(uart(REGISTER_SEND), byte);
	}
	if (!link_sending()) {
		mmio_write32(uart(REGISTER_INTERRUPTS), INTERRUPT_RECEIVED);
	}
}

void link_interrupt(void)
{
	const uint32_t source = plic_claim(board_sifive_uart_link.plic);

	receive();
	transmit();
	if (source != 0) {
		plic_complete(board_sifive_uart_link.plic, source);
	}
}

void link_init(void)
{
	if (board_sifive_uart_link.divisor != 0) {
		mmio_write32(uart(REGISTER_DIVISOR), board_sifive_uart_link.divisor);
	}
	mmio_write32(uart(REGISTER_SEND_CONTROL), SEND_ON);
	mmio_write32(uart(REGISTER_RECEIVE_CONTROL), RECEIVE_ON);
	mmio_write32(uart(REGISTER_INTERRUPTS), INTERRUPT_RECEIVED);
	plic_enable(board_sifive_uart_link.plic, board_sifive_uart_link.source);
	irq_source_enable(IRQ_SOURCE_EXTERNAL);
}

/* The transmitter is empty, so to let its interrupt through raises it. */
void link_send(const uint8_t *data, uint32_t bytes)
{
	line_begin(data, bytes);
	mmio_write32(uart(REGISTER_INTERRUPTS), INTERRUPT_RECEIVED | INTERRUPT_SEND);
}
