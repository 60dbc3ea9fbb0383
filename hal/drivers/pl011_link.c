/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/pl011_link.h"

#include "hal/drivers/line.h"
#include "hal/drivers/xh3irq.h"
#include "hal/hart.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/link.h"
#include "hal/mmio.h"

enum uart_register {
	REGISTER_DATA = 0x00,
	REGISTER_FLAGS = 0x18,
	REGISTER_DIVISOR = 0x24,
	REGISTER_FRACTION = 0x28,
	REGISTER_FORMAT = 0x2c, /* its write also puts the divisor in force */
	REGISTER_CONTROL = 0x30,
	REGISTER_LEVELS = 0x34,
	REGISTER_INTERRUPTS = 0x38,
	REGISTER_TAKE_BACK = 0x44,
};

#define FLAG_RECEIVE_EMPTY 0x010u
#define FLAG_SEND_FULL     0x020u
#define FORMAT_8N1_FIFO    0x070u
#define CONTROL_ON         0x301u /* the line, its transmitter, its receiver */
#define LEVELS_HALF        0x010u /* received: half full; transmitter: an eighth left */
#define INTERRUPT_RECEIVED 0x010u
#define INTERRUPT_SENT     0x020u
#define INTERRUPT_PAUSE    0x040u /* fewer bytes than the level have come, and no more follow */

static uint32_t *uart(enum uart_register number)
{
	return mmio_word(board_pl011_link.base, number);
}

static void receive(void)
{
	for (uint32_t i = 0; i < LINE_BYTES; i++) {
		if ((mmio_read32(uart(REGISTER_FLAGS)) & FLAG_RECEIVE_EMPTY) != 0) {
			return;
		}
		line_keep((uint8_t)mmio_read32(uart(REGISTER_DATA)));
	}
}

/* Bounded by the frame that is sent. */
static void transmit(void)
{
	uint8_t byte;

	while ((mmio_read32(uart(REGISTER_FLAGS)) & FLAG_SEND_FULL) == 0 && line_next(&byte)) {
		mmio_write32(uart(REGISTER_DATA), byte);
	}
}

/* The transmitter's interrupt is taken back before bytes are added: it comes again when they have gone down to its level. */
void link_interrupt(void)
{
	mmio_write32(uart(REGISTER_TAKE_BACK), INTERRUPT_SENT);
	receive();
	transmit();
}

void link_init(void)
{
	mmio_write32(uart(REGISTER_CONTROL), 0);
	mmio_write32(uart(REGISTER_DIVISOR), board_pl011_link.divisor);
	mmio_write32(uart(REGISTER_FRACTION), board_pl011_link.fraction);
	mmio_write32(uart(REGISTER_FORMAT), FORMAT_8N1_FIFO);
	mmio_write32(uart(REGISTER_LEVELS), LEVELS_HALF);
	mmio_write32(uart(REGISTER_INTERRUPTS),
		     INTERRUPT_RECEIVED | INTERRUPT_SENT | INTERRUPT_PAUSE);
	mmio_write32(uart(REGISTER_CONTROL), CONTROL_ON);
	xh3irq_enable_only(board_pl011_link.source);
	irq_source_enable(IRQ_SOURCE_EXTERNAL);
}

/* A transmitter that was empty already does not interrupt: the first bytes go from here, while the handler, which takes
 * bytes of the frame as well, is shut off. The end of a frame that has gone as a whole is told by an interrupt to itself. */
void link_send(const uint8_t *data, uint32_t bytes)
{
	line_begin(data, bytes);
	irq_source_disable(IRQ_SOURCE_EXTERNAL);
	transmit();
	irq_source_enable(IRQ_SOURCE_EXTERNAL);
	if (!link_sending()) {
		ipi_send(hart_id());
	}
}
