/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Register words in device memory: 32-bit accesses, one at a time, with their order. A 64-bit
 * value is two words, low first.
 */
#ifndef HOST_LIB_TRANSPORT_REGS_H
#define HOST_LIB_TRANSPORT_REGS_H

#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "host/lib/transport/reach.h"

/** A word that is mapped. */
static inline uint32_t *regs_word(const struct reach *window, uint32_t offset)
{
	return (uint32_t *)(void *)(window->map + offset);
}

/** One word; what follows is not done before it. */
static inline uint32_t regs_load(const struct reach *window, uint32_t offset)
{
	uint32_t word;

	if (window->map)
		return __atomic_load_n(regs_word(window, offset), __ATOMIC_ACQUIRE);
	reach_copy_out(window, offset, &word, sizeof(word));
	return word;
}

/** One word; what precedes is done before it. */
static inline void regs_store(const struct reach *window, uint32_t offset, uint32_t value)
{
	if (window->map)
		__atomic_store_n(regs_word(window, offset), value, __ATOMIC_RELEASE);
	else
		reach_copy_in(window, offset, &value, sizeof(value));
}

/** Stores before are seen before loads after: for "I wrote this, what do you say?". */
static inline void regs_fence(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/** Words of a structure, from the window. */
static inline void regs_copy_out(const struct reach *window, uint32_t offset, void *words,
				 size_t bytes)
{
	if (!window->map)
		reach_copy_out(window, offset, words, bytes);
	for (size_t i = 0; window->map && i < bytes / 4; i++)
		((uint32_t *)words)[i] = regs_load(window, offset + (uint32_t)(4 * i));
}

/** Words of a structure, into the window. */
static inline void regs_copy_in(const struct reach *window, uint32_t offset, const void *words,
				size_t bytes)
{
	if (!window->map)
		reach_copy_in(window, offset, words, bytes);
	for (size_t i = 0; window->map && i < bytes / 4; i++)
		regs_store(window, offset + (uint32_t)(4 * i), ((const uint32_t *)words)[i]);
}

#endif /* HOST_LIB_TRANSPORT_REGS_H */
