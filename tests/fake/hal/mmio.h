/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * hal/mmio.h for unit tests: accesses go to a model of registers, where a test is linked with one, and to
 * memory otherwise.
 */
#ifndef HAL_MMIO_H
#define HAL_MMIO_H

#include <stdbool.h>
#include <stdint.h>

/** A model of registers. Without one everything is memory.
 * @param address  Of the access.
 * @param bytes    Of the access: 1 or 4.
 * @param value    Read: written by the model.
 * @return         false: the address is memory. */
bool fake_mmio_read(uintptr_t address, uint32_t bytes, uint32_t *value) __attribute__((weak));

/** The same for a write. */
bool fake_mmio_write(uintptr_t address, uint32_t bytes, uint32_t value) __attribute__((weak));

static inline uint8_t mmio_read8(const uint8_t *address)
{
	uint32_t value;

	if (fake_mmio_read && fake_mmio_read((uintptr_t)address, 1, &value)) {
		return (uint8_t)value;
	}
	return *(const volatile uint8_t *)address;
}

static inline void mmio_write8(uint8_t *address, uint8_t value)
{
	if (!fake_mmio_write || !fake_mmio_write((uintptr_t)address, 1, value)) {
		*(volatile uint8_t *)address = value;
	}
}

static inline uint32_t mmio_read32(const uint32_t *address)
{
	uint32_t value;

	if (fake_mmio_read && fake_mmio_read((uintptr_t)address, 4, &value)) {
		return value;
	}
	return *(const volatile uint32_t *)address;
}

static inline void mmio_write32(uint32_t *address, uint32_t value)
{
	if (!fake_mmio_write || !fake_mmio_write((uintptr_t)address, 4, value)) {
		*(volatile uint32_t *)address = value;
	}
}

static inline uintptr_t mmio_read_word(const uintptr_t *address)
{
	return *(const volatile uintptr_t *)address;
}

static inline uint32_t *mmio_word(uintptr_t base, uintptr_t offset)
{
	return (uint32_t *)(base + offset);
}

#endif /* HAL_MMIO_H */
