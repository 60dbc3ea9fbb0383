/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What user mode may reach. Machine mode is not restricted.
 *
 * protection_encode() checks a list of regions and works out the registers; it may fail and
 * changes nothing. protection_load() puts them in place in a few dozen instructions; it cannot
 * fail. So a list is encoded when a task is assigned, and loaded at every switch.
 *
 * The first region of a list that holds an address decides about it; an address that is in none
 * is denied.
 */
#ifndef HAL_PROTECTION_H
#define HAL_PROTECTION_H

#include <stdint.h>

#include "hal/status.h"

#define PROTECTION_ENTRIES 16u /**< Most entries that are used. */

/** Rights, as a mask. */
enum protection_right {
	PROTECTION_NONE = 0, /**< A hole in a later region, such as a guard gap between stacks. */
	PROTECTION_READ = 1,
	PROTECTION_WRITE = 2, /**< Only together with PROTECTION_READ. */
	PROTECTION_EXECUTE = 4,
};

/** What a core has. Found by protection_probe(). */
struct protection_limits {
	uint32_t entries; /**< 0: the core protects nothing; at most PROTECTION_ENTRIES. */
	uint32_t grain; /**< Bytes; bases and sizes are multiples of it. A power of two, from 4. */
};

/** A range of addresses and what user mode may do there. */
struct protection_region {
	uintptr_t base;  /**< A multiple of the grain. */
	uintptr_t bytes; /**< A multiple of the grain; 0: the region is left out. */
	uint32_t rights; /**< PROTECTION_ masks, ORed. */
};

/** Register values. Written by protection_encode() only. */
struct protection_table {
	uint32_t entries;      /**< Entries in use. The others are off. */
	uint32_t config_words; /**< Words of `config` that the core has. */
	uintptr_t address[PROTECTION_ENTRIES];
	uintptr_t config[PROTECTION_ENTRIES / sizeof(uintptr_t)];
};

/** Find out what the calling hart has. Turns all its entries off. Interrupts are disabled.
 * @param[out] limits  Always written. */
void protection_probe(struct protection_limits *limits);

/** Work out the registers for a list of regions. A region takes one entry when its size is a
 * power of two and its base a multiple of its size, or when it begins where the one before it
 * ended; otherwise two.
 * @param limits      From protection_probe(). With no entries the table is empty.
 * @param regions     First match decides.
 * @param[out] table  Written in full when the result is HAL_OK, otherwise not valid.
 * @return            HAL_ERR_INVALID_PARAM: a region is not aligned, wraps around, or has rights
 *                    that do not exist; HAL_ERR_UNSUPPORTED: more entries are needed than there
 *                    are. */
HAL_CHECKED enum hal_status protection_encode(const struct protection_limits *limits,
					      const struct protection_region *regions,
					      uint32_t count, struct protection_table *table);

/** Put a table in place on the calling hart, for the next time it enters user mode. */
void protection_load(const struct protection_table *table);

#endif /* HAL_PROTECTION_H */
