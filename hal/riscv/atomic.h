/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * hal/atomic.h for RISC-V; included by it alone. With A: AMO instructions and LR/SC, ordered on
 * both sides. Without A: plain accesses, for words that one hart changes. An image that is built for
 * cores with A also runs on one without: machine mode asks misa, which costs less than the access.
 *
 * A machine whose cores lack A may have a mutex in hardware (HAL_LOCK): a word that reads 0 once, for the hart that has
 * it then, and 1 until that hart writes 0. Under it all harts may change words. Nobody waits long: the owner does a few
 * accesses, no interrupt handler asks for it, and the reset of the owner frees it.
 */
#ifndef HAL_RISCV_ATOMIC_H
#define HAL_RISCV_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/mmio.h"
#include "hal/riscv/csr.h"

/** Whether harts that run this image may lack A and call these functions all the same. Defined beside the image's main
 * function. */
extern const bool atomic_asks;

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

#if HAL_LOCK != 0
#error "HAL_LOCK is for cores without A: AMO instructions do not ask for it"
#endif

#define ATOMIC_SHARED(has_a) (has_a)

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
 * built for. An image that calls these functions on cores with A only does not ask. */
static inline __attribute__((always_inline)) bool atomic_core(void)
{
	const uintptr_t misa = HAL_MISA == 0 || !atomic_asks ? 0 : csr_read(misa);

	return misa == 0 || (misa & 1) != 0;
}

#else

#define ATOMIC_SHARED(has_a) (HAL_LOCK != 0 || (0 && (has_a)))

/** The mutex does what A does on other cores. */
static inline bool atomic_core(void)
{
	return HAL_LOCK != 0;
}

static inline void atomic_lock(void)
{
#if HAL_LOCK != 0
	while (mmio_read32(mmio_word(HAL_LOCK, 0)) != 0) {
	}
	fence_full();
#endif
}

static inline void atomic_unlock(void)
{
#if HAL_LOCK != 0
	fence_full();
	mmio_write32(mmio_word(HAL_LOCK, 0), 0);
#endif
}

static inline uint32_t atomic_amo_add(uint32_t *word, uint32_t value)
{
	atomic_lock();
	const uint32_t old = atomic_alone_add(word, value);

	atomic_unlock();
	return old;
}

/* The word only falls, so whoever sees a lower one is done. */
static inline void atomic_least(uint32_t *word, uint32_t value)
{
	if (value < mmio_read32(word)) {
		atomic_lock();
		if (value < mmio_read32(word)) {
			mmio_write32(word, value);
		}
		atomic_unlock();
	}
}

static inline void atomic_most(uint32_t *word, uint32_t value)
{
	if (value > mmio_read32(word)) {
		atomic_lock();
		if (value > mmio_read32(word)) {
			mmio_write32(word, value);
		}
		atomic_unlock();
	}
}

static inline uint32_t atomic_amo_swap(uint32_t *word, uint32_t value)
{
	atomic_lock();
	const uint32_t old = atomic_alone_swap(word, value);

	atomic_unlock();
	return old;
}

static inline bool atomic_amo_compare_swap(uint32_t *word, uint32_t expected, uint32_t value)
{
	atomic_lock();
	const bool same = atomic_alone_compare_swap(word, expected, value);

	atomic_unlock();
	return same;
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
