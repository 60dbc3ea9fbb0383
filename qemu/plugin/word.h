/* SPDX-License-Identifier: Apache-2.0 */
/* Words of the shared file: read and written whole, in no particular order. */
#ifndef QEMU_PLUGIN_WORD_H
#define QEMU_PLUGIN_WORD_H

#include <stdint.h>

static inline uint64_t load64(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline uint32_t load32(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void store64(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELAXED);
}

#endif
