/* SPDX-License-Identifier: Apache-2.0 */
/* From regions to the registers of RISC-V physical memory protection. Plain C: no register is
 * touched here, so it also runs on the host. */
#include "hal/protection.h"

#include <stdbool.h>

#define PMP_TOR         0x08u /**< The region from the address of the entry before to this one's. */
#define CONFIGS_IN_WORD ((uint32_t)sizeof(uintptr_t))

static bool is_valid(uintptr_t base, uintptr_t bytes, uint32_t grain)
{
	return ((base | bytes) & (grain - 1)) == 0 && bytes - 1 <= UINTPTR_MAX - base;
}

/* Addresses past the last entry are never loaded, so they need no first value. */
void protection_begin(const struct protection_limits *limits, struct protection_table *table)
{
	table->entries = 0;
	table->config_words = (limits->entries + CONFIGS_IN_WORD - 1) / CONFIGS_IN_WORD;
	for (uint32_t word = 0; word < PROTECTION_ENTRIES / CONFIGS_IN_WORD; word++) {
		table->config[word] = 0;
	}
}

/* The first entry is off: it only lends its address. A region may end where the addresses do. */
enum hal_status protection_add(const struct protection_limits *limits,
			       struct protection_table *table, uintptr_t base, uintptr_t bytes,
			       uint32_t rights)
{
	const uint32_t entry = table->entries;

	if (bytes == 0 || limits->entries == 0) {
		return HAL_OK;
	}
	if (!is_valid(base, bytes, limits->grain)) {
		return HAL_ERR_INVALID_PARAM;
	}
	if (entry + 2 > limits->entries) {
		return HAL_ERR_UNSUPPORTED;
	}
	table->address[entry] = base >> 2;
	table->address[entry + 1] = ((base + (bytes - 1)) >> 2) + 1;
	table->config_byte[entry + 1] = (uint8_t)(PMP_TOR | rights);
	table->entries = entry + 2;
	return HAL_OK;
}
