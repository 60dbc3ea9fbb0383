/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Atomics on 32-bit words in global and local memory, under both of their names (OpenCL C 6.12.11), and on those of 64
 * bits where the processor has them.
 */
#include "base.clh"

/* Relaxed, as in OpenCL 1.x. */
#define ATOMIC(space, type, name, builtin)                                                  \
	OVER type atomic_##name(volatile space type *p, type value)                         \
	{                                                                                   \
		return builtin(p, value, __ATOMIC_RELAXED);                                 \
	}                                                                                   \
	OVER type atom_##name(volatile space type *p, type value)                           \
	{                                                                                   \
		return builtin(p, value, __ATOMIC_RELAXED);                                 \
	}

#define ATOMIC_ONE(space, type, name, builtin)                                              \
	OVER type atomic_##name(volatile space type *p)                                     \
	{                                                                                   \
		return builtin(p, (type)1, __ATOMIC_RELAXED);                               \
	}                                                                                   \
	OVER type atom_##name(volatile space type *p)                                       \
	{                                                                                   \
		return builtin(p, (type)1, __ATOMIC_RELAXED);                               \
	}

#define ATOMIC_COMPARE(space, type, name)                                                   \
	OVER type name(volatile space type *p, type expected, type value)                   \
	{                                                                                   \
		__atomic_compare_exchange_n(p, &expected, value, 0, __ATOMIC_RELAXED,       \
					    __ATOMIC_RELAXED);                              \
		return expected;                                                            \
	}

#define ATOMICS(space, type)                                                                \
	ATOMIC(space, type, add, __atomic_fetch_add)                                        \
	ATOMIC(space, type, sub, __atomic_fetch_sub)                                        \
	ATOMIC(space, type, and, __atomic_fetch_and)                                        \
	ATOMIC(space, type, or, __atomic_fetch_or)                                          \
	ATOMIC(space, type, xor, __atomic_fetch_xor)                                        \
	ATOMIC(space, type, min, __atomic_fetch_min)                                        \
	ATOMIC(space, type, max, __atomic_fetch_max)                                        \
	ATOMIC(space, type, xchg, __atomic_exchange_n)                                      \
	ATOMIC_ONE(space, type, inc, __atomic_fetch_add)                                    \
	ATOMIC_ONE(space, type, dec, __atomic_fetch_sub)                                    \
	ATOMIC_COMPARE(space, type, atomic_cmpxchg)                                         \
	ATOMIC_COMPARE(space, type, atom_cmpxchg)

ATOMICS(global, int)
ATOMICS(global, uint)
ATOMICS(local, int)
ATOMICS(local, uint)

#ifdef cl_khr_int64_base_atomics
ATOMICS(global, long)
ATOMICS(global, ulong)
ATOMICS(local, long)
ATOMICS(local, ulong)
#endif

#define ATOMIC_FLOAT(space)                                                                 \
	OVER float atomic_xchg(volatile space float *p, float value)                        \
	{                                                                                   \
		return as_float(atomic_xchg((volatile space int *)p, as_int(value)));       \
	}

ATOMIC_FLOAT(global)
ATOMIC_FLOAT(local)
