/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernel built-ins: OpenCL's atomics on 32-bit words, in device and in shared memory.
 *
 * In `atomic_add(p, value)` and its like `p` points to a signed or unsigned word, volatile or not.
 * Each returns the value from before, is one access to everybody else, and orders nothing, as in
 * OpenCL 1.x. The core needs the A extension. Without it a kernel that uses them does not compile,
 * unless it defines GANGER_LOCAL_ATOMICS and uses them on shared memory only, where they are right
 * because the threads of a CTA run one after the other. Included by ganger_kernel.h.
 */
#ifndef FIRMWARE_KERNEL_GANGER_ATOMIC_H
#define FIRMWARE_KERNEL_GANGER_ATOMIC_H

#include <stdint.h>

#if defined(__riscv_atomic)
#define GANGER_ATOMIC(operation, p, value) \
	__atomic_fetch_##operation((p), (value), __ATOMIC_RELAXED)
#define atomic_xchg(p, value) __atomic_exchange_n((p), (value), __ATOMIC_RELAXED)

#define GANGER_AMO(name, type, instruction, operation)        \
	static inline type name(volatile void *p, type value) \
	{                                                     \
		type old;                                     \
                                                              \
		__asm__ volatile(instruction " %0, %2, (%1)"  \
				 : "=&r"(old)                 \
				 : "r"(p), "r"(value)         \
				 : "memory");                 \
		return old;                                   \
	}

#else
#ifndef GANGER_LOCAL_ATOMICS
/** Never called: using it is the error message. */
void ganger_no_atomics(void) __attribute__((error("atomics need a core with the A extension")));
#else
static inline void ganger_no_atomics(void)
{
}
#endif

#define GANGER_ATOMIC(operation, p, value) GANGER_ATOMIC_##operation(p, value)
#define GANGER_ATOMIC_PLAIN(p, result)                       \
	__extension__({                                      \
		__typeof__(p) ganger_p = (p);                \
		__typeof__(*(p) + 0) ganger_old = *ganger_p; \
		ganger_no_atomics();                         \
		*ganger_p = (result);                        \
		ganger_old;                                  \
	})
#define GANGER_ATOMIC_add(p, value) GANGER_ATOMIC_PLAIN(p, ganger_old + (value))
#define GANGER_ATOMIC_sub(p, value) GANGER_ATOMIC_PLAIN(p, ganger_old - (value))
#define GANGER_ATOMIC_and(p, value) GANGER_ATOMIC_PLAIN(p, ganger_old &(value))
#define GANGER_ATOMIC_or(p, value)  GANGER_ATOMIC_PLAIN(p, ganger_old | (value))
#define GANGER_ATOMIC_xor(p, value) GANGER_ATOMIC_PLAIN(p, ganger_old ^ (value))
#define atomic_xchg(p, value)       GANGER_ATOMIC_PLAIN(p, value)

#define GANGER_AMO(name, type, instruction, operation)                   \
	static inline type name(volatile void *p, type value)            \
	{                                                                \
		type old = *(volatile type *)p;                          \
                                                                         \
		ganger_no_atomics();                                     \
		*(volatile type *)p = old operation value ? old : value; \
		return old;                                              \
	}
#endif

GANGER_AMO(ganger_min_signed, int32_t, "amomin.w", <)
GANGER_AMO(ganger_min_unsigned, uint32_t, "amominu.w", <)
GANGER_AMO(ganger_max_signed, int32_t, "amomax.w", >)
GANGER_AMO(ganger_max_unsigned, uint32_t, "amomaxu.w", >)

/* By the signedness of the word that p points to. */
#define GANGER_BY_SIGN(p, name)                   \
	_Generic(*(p), int                        \
		 : name##_signed, long            \
		 : name##_signed, unsigned        \
		 : name##_unsigned, unsigned long \
		 : name##_unsigned)

#define atomic_add(p, value) GANGER_ATOMIC(add, p, value)
#define atomic_sub(p, value) GANGER_ATOMIC(sub, p, value)
#define atomic_and(p, value) GANGER_ATOMIC(and, p, value)
#define atomic_or(p, value)  GANGER_ATOMIC(or, p, value)
#define atomic_xor(p, value) GANGER_ATOMIC(xor, p, value)
#define atomic_inc(p)        GANGER_ATOMIC(add, p, 1)
#define atomic_dec(p)        GANGER_ATOMIC(sub, p, 1)
#define atomic_min(p, value) GANGER_BY_SIGN(p, ganger_min)((p), (value))
#define atomic_max(p, value) GANGER_BY_SIGN(p, ganger_max)((p), (value))

/** Stores `value` if the word is `expected`; returns the word from before. */
static inline uint32_t ganger_compare_exchange(volatile void *p, uint32_t expected, uint32_t value)
{
#if defined(__riscv_atomic)
	__atomic_compare_exchange_n((volatile uint32_t *)p, &expected, value, 0, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
	return expected;
#else
	uint32_t old = *(volatile uint32_t *)p;

	ganger_no_atomics();
	*(volatile uint32_t *)p = old == expected ? value : old;
	return old;
#endif
}

#define atomic_cmpxchg(p, expected, value)                                        \
	((__typeof__(*(p) + 0))ganger_compare_exchange((p), (uint32_t)(expected), \
						       (uint32_t)(value)))

#endif /* FIRMWARE_KERNEL_GANGER_ATOMIC_H */
