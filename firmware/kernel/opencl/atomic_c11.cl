/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Atomics of OpenCL C 3.0 (6.15.12), on objects in each named address space. Compiled as OpenCL C 3.0.
 *
 * An order is either relaxed or taken for the strongest one, and all scopes for that of the device.
 */
#define OVER __attribute__((overloadable))

#define RELAXED(order) ((order) == memory_order_relaxed)
/* In one of the two orders that there are; `...` is the call up to its order. */
#define ORDERED(order, builtin, ...)                                                             \
	(RELAXED(order) ? builtin(__VA_ARGS__, __ATOMIC_RELAXED) : builtin(__VA_ARGS__, __ATOMIC_SEQ_CST))

/* A function in its forms: with order and scope, with the order alone, and with neither. `parameters` and `arguments`
 * are in parentheses, `type` is what the object is for the processor. */
#define OPEN(...) __VA_ARGS__
#define FORMS(R, name, parameters, arguments, ...)                                               \
	OVER R name##_explicit(OPEN parameters, memory_order order, memory_scope scope) { __VA_ARGS__; } \
	OVER R name##_explicit(OPEN parameters, memory_order order)                              \
	{                                                                                        \
		return name##_explicit(OPEN arguments, order, memory_scope_device);              \
	}                                                                                        \
	OVER R name(OPEN parameters)                                                             \
	{                                                                                        \
		return name##_explicit(OPEN arguments, memory_order_seq_cst, memory_scope_device); \
	}

#define FETCH(space, A, C, name, builtin)                                                        \
	FORMS(C, atomic_fetch_##name, (volatile space A *p, C value), (p, value),                \
	      return ORDERED(order, builtin, (volatile space C *)p, value))

#define COMPARE_FORMS(space, expected_space, A, C, I, name)                                      \
	OVER bool name##_explicit(volatile space A *p, expected_space C *expected, C value,      \
				  memory_order order, memory_order failed, memory_scope scope)   \
	{                                                                                        \
		I was = *(expected_space I *)expected;                                           \
		bool same = __atomic_compare_exchange_n((volatile space I *)p, &was,             \
							__builtin_astype(value, I), 0,           \
							__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
		if (!same)                                                                       \
			*(expected_space I *)expected = was;                                     \
		return same;                                                                     \
	}                                                                                        \
	OVER bool name##_explicit(volatile space A *p, expected_space C *expected, C value,      \
				  memory_order order, memory_order failed)                       \
	{                                                                                        \
		return name##_explicit(p, expected, value, order, failed, memory_scope_device);  \
	}                                                                                        \
	OVER bool name(volatile space A *p, expected_space C *expected, C value)                 \
	{                                                                                        \
		return name##_explicit(p, expected, value, memory_order_seq_cst,                 \
				       memory_order_seq_cst, memory_scope_device);               \
	}

#define COMPARE(space, expected_space, A, C, I)                                                  \
	COMPARE_FORMS(space, expected_space, A, C, I, atomic_compare_exchange_strong)            \
	COMPARE_FORMS(space, expected_space, A, C, I, atomic_compare_exchange_weak)

/* What there is for numbers of all kinds. I is the integer of the same size. */
#define ANY(space, A, C, I)                                                                      \
	OVER void atomic_init(volatile space A *p, C value) { *(volatile space C *)p = value; }  \
	FORMS(void, atomic_store, (volatile space A *p, C value), (p, value),                    \
	      ORDERED(order, __atomic_store_n, (volatile space I *)p, __builtin_astype(value, I))) \
	FORMS(C, atomic_load, (volatile space A *p), (p),                                        \
	      I found = ORDERED(order, __atomic_load_n, (volatile space I *)p);                  \
	      return __builtin_astype(found, C))                                                 \
	FORMS(C, atomic_exchange, (volatile space A *p, C value), (p, value),                    \
	      I found = ORDERED(order, __atomic_exchange_n, (volatile space I *)p, __builtin_astype(value, I)); \
	      return __builtin_astype(found, C))                                                 \
	COMPARE(space, __private, A, C, I)                                                       \
	COMPARE(space, __local, A, C, I)                                                         \
	COMPARE(space, __global, A, C, I)

#define INTEGER(space, A, C)                                                                     \
	ANY(space, A, C, C)                                                                      \
	FETCH(space, A, C, add, __atomic_fetch_add)                                              \
	FETCH(space, A, C, sub, __atomic_fetch_sub)                                              \
	FETCH(space, A, C, or, __atomic_fetch_or)                                                \
	FETCH(space, A, C, xor, __atomic_fetch_xor)                                              \
	FETCH(space, A, C, and, __atomic_fetch_and)                                              \
	FETCH(space, A, C, min, __atomic_fetch_min)                                              \
	FETCH(space, A, C, max, __atomic_fetch_max)

#define FLAG(space)                                                                              \
	FORMS(bool, atomic_flag_test_and_set, (volatile space atomic_flag *p), (p),              \
	      return ORDERED(order, __atomic_exchange_n, (volatile space int *)p, 1) != 0)       \
	FORMS(void, atomic_flag_clear, (volatile space atomic_flag *p), (p),                     \
	      ORDERED(order, __atomic_store_n, (volatile space int *)p, 0))

#define WORDS(space)                                                                             \
	INTEGER(space, atomic_int, int)                                                          \
	INTEGER(space, atomic_uint, uint)                                                        \
	ANY(space, atomic_float, float, int)                                                     \
	FLAG(space)

WORDS(__global)
WORDS(__local)

#ifdef cl_khr_int64_base_atomics
#define LONGS(space)                                                                             \
	INTEGER(space, atomic_long, long)                                                        \
	INTEGER(space, atomic_ulong, ulong)                                                      \
	ANY(space, atomic_double, double, long)

LONGS(__global)
LONGS(__local)
#endif

OVER void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope)
{
	if (!RELAXED(order))
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
}
