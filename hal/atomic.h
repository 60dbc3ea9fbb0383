/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Words that several harts change: one read-modify-write of 32 bits each, in one order that all
 * harts see (S4-R112). What a hart wrote before is seen by a hart that sees the changed word.
 *
 * On a core without A the same functions work under a mutex in hardware, where the board has one (HAL_LOCK). Else they
 * are plain loads and stores: then one hart alone may change such a word. The control processor grants work for the
 * others (it is the same code), and no other hart calls them. Words are aligned to 4 bytes.
 */
#ifndef HAL_ATOMIC_H
#define HAL_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/fence.h"
#include "hal/mmio.h"

#ifdef __riscv
#include "hal/riscv/atomic.h"
#else

/** Whether a hart may change a word that others change, if that is what its core has (not evaluated where no core has
 * A). */
#define ATOMIC_SHARED(has_a) (has_a)

/** Called before each access on a machine that is not RISC-V. A test that explores interleavings
 * defines it and lets another unit go on meanwhile; otherwise there is none. */
void atomic_step(void) __attribute__((weak));

static inline void atomic_pause(void)
{
	if (atomic_step) {
		atomic_step();
	}
}

static inline uint32_t atomic_add(uint32_t *word, uint32_t value)
{
	atomic_pause();
	return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
}

static inline uint32_t atomic_swap(uint32_t *word, uint32_t value)
{
	atomic_pause();
	return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
}

static inline bool atomic_compare_swap(uint32_t *word, uint32_t expected, uint32_t value)
{
	atomic_pause();
	return __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}

static inline void atomic_least(uint32_t *word, uint32_t value)
{
	uint32_t old = *word;

	while (value < old && !__atomic_compare_exchange_n(word, &old, value, false,
							   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
	}
}

static inline void atomic_most(uint32_t *word, uint32_t value)
{
	uint32_t old = *word;

	while (value > old && !__atomic_compare_exchange_n(word, &old, value, false,
							   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
	}
}

#endif /* __riscv */

/** Write if the word is larger than that. Only where several harts may change it. No order with other accesses. */
static inline void atomic_least(uint32_t *word, uint32_t value);

/** Write if the word is smaller than that. Only where several harts may change it. No order with other accesses. */
static inline void atomic_most(uint32_t *word, uint32_t value);

/** Add, modulo 2^32.
 * @return  What the word was before. */
static inline uint32_t atomic_add(uint32_t *word, uint32_t value);

/** Write.
 * @return  What the word was before. */
static inline uint32_t atomic_swap(uint32_t *word, uint32_t value);

/** Write if the word is what the caller expects.
 * @return  Whether it was, and is `value` now. */
static inline bool atomic_compare_swap(uint32_t *word, uint32_t expected, uint32_t value);

/** Read; what the writer of that value wrote before it is seen by what the caller reads next. */
static inline uint32_t atomic_load(const uint32_t *word)
{
#ifndef __riscv
	atomic_pause();
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
#else
	const uint32_t value = mmio_read32(word);

	fence_acquire();
	return value;
#endif
}

/** Write, after all that the caller read and wrote before. */
static inline void atomic_store(uint32_t *word, uint32_t value)
{
#ifndef __riscv
	atomic_pause();
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
#else
	fence_release();
	mmio_write32(word, value);
#endif
}

#endif /* HAL_ATOMIC_H */
