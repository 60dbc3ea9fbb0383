/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Register words in shared memory: 32-bit accesses, one at a time, with their order. A 64-bit
 * value is two words, low first.
 */
#ifndef HOST_LIB_REGS_H
#define HOST_LIB_REGS_H

#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/field.h"

/** One word; what follows is not done before it. */
static inline uint32_t regs_load(const void *window, uint32_t offset)
{
	const uint32_t *word = (const uint32_t *)(const void *)((const char *)window + offset);

	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/** One word; what precedes is done before it. */
static inline void regs_store(void *window, uint32_t offset, uint32_t value)
{
	uint32_t *word = (uint32_t *)(void *)((char *)window + offset);

	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/** Stores before are seen before loads after: for "I wrote this, what do you say?". */
static inline void regs_fence(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/** Words of a structure, from the window. */
static inline void regs_copy_out(const void *window, uint32_t offset, void *words, size_t bytes)
{
	for (size_t i = 0; i < bytes / 4; i++)
		((uint32_t *)words)[i] = regs_load(window, offset + (uint32_t)(4 * i));
}

/** Words of a structure, into the window. */
static inline void regs_copy_in(void *window, uint32_t offset, const void *words, size_t bytes)
{
	for (size_t i = 0; i < bytes / 4; i++)
		regs_store(window, offset + (uint32_t)(4 * i), ((const uint32_t *)words)[i]);
}

#endif /* HOST_LIB_REGS_H */
