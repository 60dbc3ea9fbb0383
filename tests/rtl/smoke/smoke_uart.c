/* SPDX-License-Identifier: Apache-2.0 */
/* 16550: says "ready", then sends back every byte it gets + 1, by interrupt; ends at "q". */
#include "smoke.h"

#define LSR UART(5)

static void put(uint8_t byte)
{
	while ((LSR & 0x20) == 0) {
	}
	UART(0) = byte;
}

void smoke(uint32_t hart)
{
	if (hart != 0) {
		return;
	}
	UART(3) = 0x80;
	UART(0) = 3;
	CHECK(UART(0) == 3);
	UART(3) = 0x03;
	UART(2) = 0x07;
	CHECK((LSR & 0x61) == 0x60);
	for (const char *text = "ready\n"; *text != '\0'; text++) {
		put((uint8_t)*text);
	}
	__asm__ volatile("csrw 0xbc0, %0" : : "r"(1) : "memory"); /* VexRiscv's mask; others trap */
	traps[0].count = 0;
	UART(1) = 1;
	for (uint32_t seen = 0;; seen++) {
		interrupt_on(EXTERNAL);
		while (traps[0].count == seen) {
		}
		CHECK(traps[0].cause == (INTERRUPT | EXTERNAL));
		while ((LSR & 1) != 0) {
			const uint8_t byte = UART(0);

			if (byte == 'q') {
				while ((LSR & 0x40) == 0) {
				}
				return;
			}
			put((uint8_t)(byte + 1));
		}
	}
}
