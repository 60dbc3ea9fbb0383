/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/rtl/models/neorv32_registers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hal/mmio.h"

#define MSWI     0xfff40000u
#define MTIMECMP 0xfff44000u
#define MTIME    0xfff4bff8u
#define UART     0xfff50000u
#define SYSINFO  0xfffe0000u
#define DEVICES  0xf0000000u

struct neorv32_registers neorv32;

/* Hart 1 takes its interrupt some accesses after it was raised. */
static void second_hart(void)
{
	if (neorv32.msip[1] == 0 || neorv32.second < SECOND_BOOT_ROM || neorv32.left-- != 0) {
		return;
	}
	if (neorv32.second == SECOND_BOOT_ROM) {
		neorv32.entry = (uint32_t)(neorv32.mtimecmp[1] >> 32);
		neorv32.second = SECOND_AT_ENTRY;
	} else {
		neorv32.wakes++;
	}
	neorv32.msip[1] = 0;
}

static void pass(uintptr_t address, uint32_t bytes)
{
	assert_int_equal(bytes, 4);
	assert_int_equal(address % 4, 0);
	neorv32.accesses++;
	neorv32.mtime++;
	if (neorv32.uart_drain != 0 && neorv32.accesses % neorv32.uart_drain == 0) {
		neorv32.uart_room++;
	}
	second_hart();
}

static uint32_t half(uint64_t value, uintptr_t address)
{
	return (uint32_t)(address % 8 == 0 ? value : value >> 32);
}

static void set_half(uint64_t *value, uintptr_t address, uint32_t written)
{
	const uint64_t kept = half(*value, address ^ 4);

	*value = address % 8 == 0 ? kept << 32 | written : (uint64_t)written << 32 | kept;
}

bool fake_mmio_read(uintptr_t address, uint32_t bytes, uint32_t *value)
{
	if (address < DEVICES) {
		return false;
	}
	pass(address, bytes);
	switch (address & ~(uintptr_t)4) {
	case MSWI:
		*value = neorv32.msip[address / 4 % 2];
		return true;
	case MTIMECMP:
	case MTIMECMP + 8:
		*value = half(neorv32.mtimecmp[(address - MTIMECMP) / 8], address);
		return true;
	case MTIME:
		*value = half(neorv32.mtime, address);
		return true;
	case UART:
		assert_int_equal(address, UART);
		*value = (neorv32.uart_enabled ? 1u : 0) | (neorv32.uart_room != 0 ? 1u << 19 : 0);
		return true;
	case SYSINFO:
		*value = address == SYSINFO
				 ? 100000000u
				 : (neorv32.second == SECOND_ABSENT ? 1u : 2u) << 16 | 0x10u;
		return true;
	default:
		fail_msg("bus error: read of 0x%lx", (unsigned long)address);
	}
	return false;
}

static void put(uint32_t value)
{
	if (!neorv32.uart_enabled || neorv32.uart_room == 0) {
		neorv32.lost++;
		return;
	}
	neorv32.uart_room--;
	assert_true(value < 256 && neorv32.sent_bytes < sizeof(neorv32.sent));
	neorv32.sent[neorv32.sent_bytes++] = (char)value;
}

bool fake_mmio_write(uintptr_t address, uint32_t bytes, uint32_t value)
{
	if (address < DEVICES) {
		return false;
	}
	pass(address, bytes);
	switch (address) {
	case MSWI:
	case MSWI + 4:
		neorv32.msip[address / 4 % 2] = value & 1;
		neorv32.left = neorv32.delay;
		return true;
	case MTIMECMP:
	case MTIMECMP + 4:
	case MTIMECMP + 8:
	case MTIMECMP + 12:
		set_half(&neorv32.mtimecmp[(address - MTIMECMP) / 8], address, value);
		return true;
	case UART + 4:
		put(value);
		return true;
	default:
		fail_msg("bus error: write of 0x%lx", (unsigned long)address);
	}
	return false;
}
