/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * hal/atomic.h for RISC-V; included by it alone. With A: AMO instructions and LR/SC, ordered on
 * both sides. Without A: plain accesses, for words that one hart changes.
 */
#ifndef HAL_RISCV_ATOMIC_H
#define HAL_RISCV_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/mmio.h"

#ifdef __riscv_atomic

#define ATOMIC_SHARED 1 /**< More than one hart may change a word. */

static inline uint32_t atomic_add(uint32_t *word, uint32_t value)
{
	uint32_t old;

	__asm__ volatile("amoadd.w.aqrl %0, %2, %1"
			 : "=r"(old), "+A"(*word)
			 : "r"(value)
			 : "memory");
	return old;
}

static inline uint32_t atomic_swap(uint32_t *word, uint32_t value)
{
	uint32_t old;

	__asm__ volatile("amoswap.w.aqrl %0, %2, %1"
			 : "=r"(old), "+A"(*word)
			 : "r"(value)
			 : "memory");
	return old;
}

static inline bool atomic_compare_swap(uint32_t *word, uint32_t expected, uint32_t value)
{
	/* lr.w extends the sign on rv64, so what it is compared with must be extended alike. */
	const intptr_t want = (int32_t)expected;
	uintptr_t old, failed;

	/* The loop is one that the ISA promises to end: up to 16 instructions, no other access. */
	__asm__ volatile("1:\tlr.w.aqrl %0, %2\n\t"
			 "bne %0, %3, 2f\n\t"
			 "sc.w.aqrl %1, %4, %2\n\t"
			 "bnez %1, 1b\n"
			 "2:"
			 : "=&r"(old), "=&r"(failed), "+A"(*word)
			 : "r"(want), "r"(value)
			 : "memory");
	return (intptr_t)old == want;
}

#else

#define ATOMIC_SHARED 0 /**< One hart alone changes a word. */

static inline uint32_t atomic_add(uint32_t *word, uint32_t value)
{
	const uint32_t old = mmio_read32(word);

	mmio_write32(word, old + value);
	return old;
}

static inline uint32_t atomic_swap(uint32_t *word, uint32_t value)
{
	const uint32_t old = mmio_read32(word);

	mmio_write32(word, value);
	return old;
}

static inline bool atomic_compare_swap(uint32_t *word, uint32_t expected, uint32_t value)
{
	if (mmio_read32(word) != expected) {
		return false;
	}
	mmio_write32(word, value);
	return true;
}

#endif /* __riscv_atomic */

#endif /* HAL_RISCV_ATOMIC_H */
