/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A serial line whose interrupts come between any two accesses of the driver under test. The test of a driver has its
 * board's constant and the two functions that say what its registers are.
 */
#ifndef TESTS_UNIT_LINE_MODEL_H
#define TESTS_UNIT_LINE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define LINE_BASE      0xf0000000u
#define LINE_REGISTERS 0x20u       /**< Bytes from LINE_BASE on that are the line's. */
#define LINE_PLIC      0xf1000000u /**< Interrupt controller, for a driver that has one. */
#define LINE_SOURCE    37u         /**< The line's number there. */
#define LINE_SENT_MAX  64u

struct line_model {
	uint32_t fifo;        /**< Bytes that the transmitter holds. */
	bool received_opened; /**< A byte that came interrupts. */
	bool empty_opened;    /**< The empty transmitter interrupts. */
	uint32_t held;        /**< Bytes in the transmitter. */
	bool received;        /**< A byte waits in the receiver. */
	bool source_opened;   /**< The interrupt controller lets the line's interrupt through. */
	uint32_t served;      /**< Interrupts that the controller was told to be served. */
	uint32_t accesses;
	uint32_t comes_at; /**< Access before which a byte comes in. */
	bool serving;      /**< The handler runs. */
	uint32_t interrupts;
	uint32_t sent_bytes;
	uint8_t sent[LINE_SENT_MAX];
};

extern struct line_model line;

/** Of the test: a driver reads or writes a register.
 * @param offset  From LINE_BASE. */
uint32_t line_register_read(uint32_t offset, uint32_t bytes);
void line_register_write(uint32_t offset, uint32_t bytes, uint32_t value);

/** A driver writes a byte to the transmitter, which must have room. */
void line_put(uint8_t byte);

/** A test for cmocka: frames of several lengths go while a byte comes in before any access.
 * @param state  Its address: bytes that the transmitter holds, a uint32_t. */
void line_byte_comes_at_any_access(void **state);

#endif /* TESTS_UNIT_LINE_MODEL_H */
