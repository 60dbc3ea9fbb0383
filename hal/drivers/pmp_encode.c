/* SPDX-License-Identifier: Apache-2.0 */
/* From regions to the registers of RISC-V physical memory protection. Plain C: no register is
 * touched here, so it also runs on the host. */
#include "hal/protection.h"

#include <stdbool.h>

#define PMP_TOR         0x08u /**< The region from the address of the entry before to this one's. */
#define PMP_NA4         0x10u /**< Four bytes. */
#define PMP_NAPOT       0x18u /**< A power of two, from 8. */
#define PMP_RIGHTS      (PROTECTION_READ | PROTECTION_WRITE | PROTECTION_EXECUTE)
#define NO_END          1u /**< No region begins there. */
#define CONFIGS_IN_WORD ((uint32_t)sizeof(uintptr_t))

/** How far the table has been filled. */
struct pmp_encoder {
	const struct protection_limits *limits;
	struct protection_table *table;
	uintptr_t end; /**< Where a TOR entry would begin without another entry for its start. */
};

static bool is_valid(const struct protection_region *region, uint32_t grain)
{
	bool aligned = ((region->base | region->bytes) & (grain - 1)) == 0;
	bool wraps = region->bytes - 1 > UINTPTR_MAX - region->base;
	bool writes_only =
		(region->rights & (PROTECTION_READ | PROTECTION_WRITE)) == PROTECTION_WRITE;

	return aligned && !wraps && !writes_only && (region->rights & ~(uint32_t)PMP_RIGHTS) == 0;
}

static bool is_power_of_two_block(const struct protection_region *region)
{
	return (region->bytes & (region->bytes - 1)) == 0 &&
	       (region->base & (region->bytes - 1)) == 0;
}

static bool add_entry(struct pmp_encoder *encoder, uintptr_t address, uint32_t config)
{
	struct protection_table *table = encoder->table;
	uint32_t entry = table->entries;

	if (entry == encoder->limits->entries) {
		return false;
	}
	table->address[entry] = address;
	table->config[entry / CONFIGS_IN_WORD] |= (uintptr_t)config << entry % CONFIGS_IN_WORD * 8;
	table->entries++;
	return true;
}

/* All ones below the highest bit of the size: address bits, then 0, then ones. */
static bool add_power_of_two(struct pmp_encoder *encoder, const struct protection_region *region)
{
	uintptr_t ones = region->bytes / 8 - 1;

	if (region->bytes == 4) {
		return add_entry(encoder, region->base >> 2, PMP_NA4 | region->rights);
	}
	return add_entry(encoder, region->base >> 2 | ones, PMP_NAPOT | region->rights);
}

static bool add_range(struct pmp_encoder *encoder, const struct protection_region *region)
{
	/* The entry that begins the range is off, so it only lends its address. */
	if (encoder->end != region->base && !add_entry(encoder, region->base >> 2, 0)) {
		return false;
	}
	uintptr_t last = region->base + (region->bytes - 1);

	/* A range may end where the addresses do. Its end is then 0, and nothing can follow. */
	encoder->end = last == UINTPTR_MAX ? NO_END : last + 1;
	return add_entry(encoder, (last >> 2) + 1, PMP_TOR | region->rights);
}

static bool add_region(struct pmp_encoder *encoder, const struct protection_region *region)
{
	if (encoder->end != region->base && is_power_of_two_block(region)) {
		encoder->end = NO_END;
		return add_power_of_two(encoder, region);
	}
	return add_range(encoder, region);
}

enum hal_status protection_encode(const struct protection_limits *limits,
				  const struct protection_region *regions, uint32_t count,
				  struct protection_table *table)
{
	struct pmp_encoder encoder = { .limits = limits, .table = table };

	/* Addresses past the last entry are never loaded, so they need no first value. */
	table->entries = 0;
	table->config_words = (limits->entries + CONFIGS_IN_WORD - 1) / CONFIGS_IN_WORD;
	for (uint32_t word = 0; word < table->config_words; word++) {
		table->config[word] = 0;
	}
	for (uint32_t i = 0; i < count && limits->entries != 0; i++) {
		if (regions[i].bytes == 0) {
			continue;
		}
		if (!is_valid(&regions[i], limits->grain)) {
			return HAL_ERR_INVALID_PARAM;
		}
		if (!add_region(&encoder, &regions[i])) {
			return HAL_ERR_UNSUPPORTED;
		}
	}
	return HAL_OK;
}
