/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Ordering of memory accesses between harts, and between a hart and the host.
 *
 * Producer: write the data, fence_release(), write the word that publishes it.
 * Consumer: read the word, fence_acquire(), read the data.
 * Each call also stops the compiler from moving accesses over it. On a machine that is not
 * RISC-V (unit tests) the same names are the compiler's thread fences.
 */
#ifndef HAL_FENCE_H
#define HAL_FENCE_H

/** Everything read and written before is done before any later write. */
static inline void fence_release(void)
{
#ifdef __riscv
	__asm__ volatile("fence rw, w" ::: "memory");
#else
	__atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

/** Everything read before is done before any later read or write. */
static inline void fence_acquire(void)
{
#ifdef __riscv
	__asm__ volatile("fence r, rw" ::: "memory");
#else
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
}

/** Everything before this call, accesses to memory and to devices, is done before everything after it. */
static inline void fence_full(void)
{
#ifdef __riscv
	__asm__ volatile("fence iorw, iorw" ::: "memory");
#else
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/** This hart fetches instructions again that were written before. Other harts need a call of their own. */
static inline void fence_i(void)
{
#ifdef __riscv
	__asm__ volatile("fence.i" ::: "memory");
#else
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

#endif /* HAL_FENCE_H */
