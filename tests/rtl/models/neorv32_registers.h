/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The registers of a NEORV32 1.13 that the drivers use, and its second hart from the boot ROM on. Behind
 * tests/fake/hal/mmio.h. An access to any other device address, or of another width, fails the test.
 */
#ifndef TESTS_RTL_MODELS_NEORV32_REGISTERS_H
#define TESTS_RTL_MODELS_NEORV32_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

/** Where hart 1 is. */
enum neorv32_second {
	SECOND_ABSENT,   /**< Built with one hart. */
	SECOND_DEAD,     /**< It takes no interrupt. */
	SECOND_BOOT_ROM, /**< Asleep there, as after reset. */
	SECOND_AT_ENTRY, /**< Asleep in the start code, or where else it was sent. */
};

/** Set by a test, except where it says "counted". */
struct neorv32_registers {
	enum neorv32_second second;
	uint32_t delay;   /**< Accesses from its interrupt until hart 1 has taken it back. */
	uint32_t left;    /**< Counted: of these. */
	uint32_t entry;   /**< Counted: where the boot ROM sent hart 1. */
	uint32_t wakes;   /**< Counted: interrupts that hart 1 took at its entry. */
	uint32_t msip[2]; /**< MSWI. */
	uint64_t mtimecmp[2];
	uint64_t mtime;      /**< Counts accesses. */
	bool uart_enabled;   /**< CTRL bit 0. */
	uint32_t uart_room;  /**< Free places of the transmitter. */
	uint32_t uart_drain; /**< Accesses until a place becomes free; 0: never. */
	char sent[64];       /**< Counted: what was sent. */
	uint32_t sent_bytes; /**< Counted. */
	uint32_t lost;       /**< Counted: characters written without room. */
	uint32_t accesses;   /**< Counted. */
};

extern struct neorv32_registers neorv32;

#endif /* TESTS_RTL_MODELS_NEORV32_REGISTERS_H */
