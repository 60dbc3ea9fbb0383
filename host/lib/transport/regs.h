/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Register words in device memory: 32-bit accesses, one at a time and in order. A 64-bit value is
 * two words, the low one first.
 */
#ifndef HOST_LIB_TRANSPORT_REGS_H
#define HOST_LIB_TRANSPORT_REGS_H

#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "host/lib/transport/reach.h"

#ifdef GG_DELAYS
/** Of a library that is built for tests (tests/system/host_delay.c): the caller is held up, now and then. */
void gg_delay(void);
#else
static inline void gg_delay(void)
{
}
#endif

/** Address of a mapped word that the caller is about to access. */
static inline uint32_t *regs_word(const struct reach *window, uint32_t offset)
{
	gg_delay();
	return (uint32_t *)(void *)(window->map + offset);
}

/** Loads a word. Later accesses are done after it. */
static inline uint32_t regs_load(const struct reach *window, uint32_t offset)
{
	uint32_t word;

	if (window->map)
		return __atomic_load_n(regs_word(window, offset), __ATOMIC_ACQUIRE);
	reach_copy_out(window, offset, &word, sizeof(word));
	return word;
}

/** Stores a word. Earlier accesses are done before it. */
static inline void regs_store(const struct reach *window, uint32_t offset, uint32_t value)
{
	if (window->map)
		__atomic_store_n(regs_word(window, offset), value, __ATOMIC_RELEASE);
	else
		reach_copy_in(window, offset, &value, sizeof(value));
}

/** Stores a byte of a word whose other bytes have other writers. Earlier accesses are done before it. */
static inline void regs_store_byte(const struct reach *window, uint32_t offset, uint8_t value)
{
	if (window->map)
		__atomic_store_n(window->map + offset, value, __ATOMIC_RELEASE);
	else
		reach_copy_in(window, offset, &value, sizeof(value));
}

/** Earlier stores are seen before later loads are done: for a question and its answer. */
static inline void regs_fence(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/** Copies the words of a structure from the window. */
static inline void regs_copy_out(const struct reach *window, uint32_t offset, void *words,
				 size_t bytes)
{
	if (!window->map)
		reach_copy_out(window, offset, words, bytes);
	for (size_t i = 0; window->map && i < bytes / 4; i++)
		((uint32_t *)words)[i] = regs_load(window, offset + (uint32_t)(4 * i));
}

/** Copies the words of a structure into the window. */
static inline void regs_copy_in(const struct reach *window, uint32_t offset, const void *words,
				size_t bytes)
{
	if (!window->map)
		reach_copy_in(window, offset, words, bytes);
	for (size_t i = 0; window->map && i < bytes / 4; i++)
		regs_store(window, offset + (uint32_t)(4 * i), ((const uint32_t *)words)[i]);
}

#endif /* HOST_LIB_TRANSPORT_REGS_H */
