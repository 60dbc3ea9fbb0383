/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * hal/atomic.h for RISC-V; included by it alone. With A: AMO instructions and LR/SC, ordered on
 * both sides. Without A: plain accesses, for words that one hart changes. An image that is built for
 * cores with A also runs on one without: machine mode asks misa, which costs less than the access.
 */
#ifndef HAL_RISCV_ATOMIC_H
#define HAL_RISCV_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/mmio.h"
#include "hal/riscv/csr.h"

static inline uint32_t atomic_alone_add(uint32_t *word, uint32_t value)
{
	const uint32_t old = mmio_read32(word);

	mmio_write32(word, old + value);
	return old;
}

static inline uint32_t atomic_alone_swap(uint32_t *word, uint32_t value)
{
	const uint32_t old = mmio_read32(word);

	mmio_write32(word, value);
	return old;
}

static inline bool atomic_alone_compare_swap(uint32_t *word, uint32_t expected, uint32_t value)
{
	if (mmio_read32(word) != expected) {
		return false;
	}
	mmio_write32(word, value);
	return true;
}

#ifdef __riscv_atomic

#define ATOMIC_SHARED 1 /**< More than one hart may change a word. */

static inline uint32_t atomic_amo_add(uint32_t *word, uint32_t value)
{
	uint32_t old;

	__asm__ volatile("amoadd.w.aqrl %0, %2, %1"
			 : "=r"(old), "+A"(*word)
			 : "r"(value)
			 : "memory");
	return old;
}

static inline uint32_t atomic_amo_swap(uint32_t *word, uint32_t value)
{
	uint32_t old;

	__asm__ volatile("amoswap.w.aqrl %0, %2, %1"
			 : "=r"(old), "+A"(*word)
			 : "r"(value)
			 : "memory");
	return old;
}

static inline bool atomic_amo_compare_swap(uint32_t *word, uint32_t expected, uint32_t value)
{
	/* lr.w extends the sign on rv64, so the value that it is compared with must be extended in the same way. */
	const intptr_t want = (int32_t)expected;
	uintptr_t old, failed;

	/* The ISA promises that such a loop ends: it has at most 16 instructions and no other access. */
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

static inline void atomic_least(uint32_t *word, uint32_t value)
{
	__asm__ volatile("amominu.w zero, %1, %0" : "+A"(*word) : "r"(value) : "memory");
}

static inline void atomic_most(uint32_t *word, uint32_t value)
{
	__asm__ volatile("amomaxu.w zero, %1, %0" : "+A"(*word) : "r"(value) : "memory");
}

/** Whether this core has A. Where misa tells nothing, or may not be asked (HAL_MISA), the core has what the image was
 * built for. */
static inline bool atomic_core(void)
{
	const uintptr_t misa = HAL_MISA == 0 ? 0 : csr_read(misa);

	return misa == 0 || (misa & 1) != 0;
}

#else

#define ATOMIC_SHARED 0 /**< One hart alone changes a word. */

static inline bool atomic_core(void)
{
	return false;
}

static inline uint32_t atomic_amo_add(uint32_t *word, uint32_t value)
{
	return atomic_alone_add(word, value);
}

static inline void atomic_least(uint32_t *word, uint32_t value)
{
	mmio_write32(word, value < mmio_read32(word) ? value : mmio_read32(word));
}

static inline void atomic_most(uint32_t *word, uint32_t value)
{
	mmio_write32(word, value > mmio_read32(word) ? value : mmio_read32(word));
}

static inline uint32_t atomic_amo_swap(uint32_t *word, uint32_t value)
{
	return atomic_alone_swap(word, value);
}

static inline bool atomic_amo_compare_swap(uint32_t *word, uint32_t expected, uint32_t value)
{
	return atomic_alone_compare_swap(word, expected, value);
}

#endif /* __riscv_atomic */

static inline uint32_t atomic_add(uint32_t *word, uint32_t value)
{
	return atomic_core() ? atomic_amo_add(word, value) : atomic_alone_add(word, value);
}

static inline uint32_t atomic_swap(uint32_t *word, uint32_t value)
{
	return atomic_core() ? atomic_amo_swap(word, value) : atomic_alone_swap(word, value);
}

static inline bool atomic_compare_swap(uint32_t *word, uint32_t expected, uint32_t value)
{
	return atomic_core() ? atomic_amo_compare_swap(word, expected, value)
			     : atomic_alone_compare_swap(word, expected, value);
}

#endif /* HAL_RISCV_ATOMIC_H */
