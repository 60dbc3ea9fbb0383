/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the smoke images of the reference SoC share. An image is one smoke_*.c with smoke(); it passes when
 * hart 0 returns, and fails with the number of the line whose CHECK did not hold.
 */
#ifndef SMOKE_H
#define SMOKE_H

#include <stdbool.h>
#include <stdint.h>

#define SMOKE_HARTS 32

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define DEVICES           0xc0000000u /* above the addresses that some cores cache */
#define FINISHER          REGISTER(DEVICES + 0x00100000u)
#define MSIP(hart)        REGISTER(DEVICES + 0x02000000u + 4 * (hart))
#define MTIMECMP(hart)    REGISTER(DEVICES + 0x02004000u + 8 * (hart))
#define MTIMECMPH(hart)   REGISTER(DEVICES + 0x02004004u + 8 * (hart))
#define MTIME             REGISTER(DEVICES + 0x0200bff8u)
#define UART(n)           (*(volatile uint8_t *)(DEVICES + 0x10000000u + (n)))
#define MAILBOX(offset)   REGISTER(DEVICES + 0x10020000u + (offset))
#define MAILBOX_ID        MAILBOX(0x00)
#define MAILBOX_WHOAMI    MAILBOX(0x04)
#define MAILBOX_HARTS     MAILBOX(0x08)
#define MAILBOX_RAM       MAILBOX(0x0c)
#define MAILBOX_HZ        MAILBOX(0x10)
#define MAILBOX_TO_CP     MAILBOX(0x14)
#define MAILBOX_TO_HOST   MAILBOX(0x18)
#define MAILBOX_RESET     MAILBOX(0x1c)
#define MAILBOX_MUTEX(n)  MAILBOX(0x40 + 4 * (n))

#define LAUNCH(offset) REGISTER(DEVICES + 0x10021000u + (offset))
#define LAUNCH_ID      LAUNCH(0x00)
#define LAUNCH_STATUS  LAUNCH(0x04)
#define LAUNCH_RING    LAUNCH(0x08)
#define LAUNCH_PACE    LAUNCH(0x0c)
#define LAUNCH_BELL    LAUNCH(0x10)
#define LAUNCH_LEFT(n) LAUNCH(0x20 + 4 * (n))

#define HART_NUMBER  REGISTER(0xfffffff0u)
#define HART_SCRATCH REGISTER(0xfffffff4u)

#define INTERRUPT 0x80000000u
#define SOFTWARE  3u
#define TIMER     7u
#define EXTERNAL  11u

#define csr_write(name, value) \
	__asm__ volatile("csrw " #name ", %0" : : "r"((uint32_t)(value)) : "memory")
#define csr_set(name, value) \
	__asm__ volatile("csrs " #name ", %0" : : "r"((uint32_t)(value)) : "memory")
#define csr_clear(name, value) \
	__asm__ volatile("csrc " #name ", %0" : : "r"((uint32_t)(value)) : "memory")
#define csr_read(name)                                                           \
	({                                                                       \
		uint32_t value_;                                                 \
		__asm__ volatile("csrr %0, " #name : "=r"(value_) : : "memory"); \
		value_;                                                          \
	})

#define CHECK(what) ((what) ? (void)0 : fail(__LINE__))

/** What a hart trapped for; written by its trap handler. */
struct traps {
	volatile uint32_t count; /**< Traps so far. */
	volatile uint32_t cause; /**< mcause of the last one. */
	volatile uint32_t epc;   /**< mepc of the last one. */
	volatile uint32_t
		resume; /**< Where the next exception returns to; 0: behind the instruction. */
};

extern struct traps traps[SMOKE_HARTS];

/** The test, called on every hart. */
void smoke(uint32_t hart);

/** End the simulation. */
void pass(void) __attribute__((noreturn));
void fail(uint32_t code) __attribute__((noreturn));

/** Let a source interrupt the calling hart. Its handler shuts the source off. */
void interrupt_on(uint32_t source);

/** Wait until the calling hart has trapped `count` times; fails with `line` when it takes too long. */
void wait_for_traps(uint32_t hart, uint32_t count, uint32_t line);

#endif /* SMOKE_H */
