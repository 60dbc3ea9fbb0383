/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Access to device registers and to words that another processor or the host writes.
 *
 * The only place with `volatile`: each call is exactly one access of exactly that width, never
 * merged, split, repeated or left out by the compiler. It orders nothing for other processors:
 * that is hal/fence.h. Words are little endian and naturally aligned. Works on the host, too,
 * where tests may put a fake of the same name before it in the include path.
 */
#ifndef HAL_MMIO_H
#define HAL_MMIO_H

#include <stdint.h>

/** Read one byte. */
static inline uint8_t mmio_read8(const uint8_t *address)
{
	return *(const volatile uint8_t *)address;
}

/** Write one byte. A CLINT refuses byte stores with a fault. */
static inline void mmio_write8(uint8_t *address, uint8_t value)
{
	*(volatile uint8_t *)address = value;
}

/** Read one word of 32 bits.
 * @param address  Aligned to 4 bytes. */
static inline uint32_t mmio_read32(const uint32_t *address)
{
	return *(const volatile uint32_t *)address;
}

/** Write one word of 32 bits.
 * @param address  Aligned to 4 bytes. */
static inline void mmio_write32(uint32_t *address, uint32_t value)
{
	*(volatile uint32_t *)address = value;
}

/** Read one word of this processor's own size, from memory that another may write.
 * @param address  Aligned to its size. */
static inline uintptr_t mmio_read_word(const uintptr_t *address)
{
	return *(const volatile uintptr_t *)address;
}

/** The 32-bit register at a byte offset of a device.
 * @param base    Address of the device, from a board's constants.
 * @param offset  Bytes, a multiple of 4. */
static inline uint32_t *mmio_word(uintptr_t base, uintptr_t offset)
{
	return (uint32_t *)(base + offset);
}

#endif /* HAL_MMIO_H */
