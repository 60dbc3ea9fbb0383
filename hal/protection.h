/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What user mode may reach. Machine mode is not restricted.
 *
 * protection_begin() and protection_add() check regions and work out the registers for them; they may fail, and
 * touch no register. protection_load() puts a table in place, and protection_move() moves its first region only;
 * they cannot fail. So the table of a task is made once and loaded when another task gets the hart, and between two
 * thread blocks of a task only the memory that each has for itself changes.
 *
 * The first region of a table that holds an address decides about it; an address that is in none
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

/** Register values. Written by protection_begin() and protection_add() only. */
struct protection_table {
	uint32_t entries;                      /**< Entries in use. The others are off. */
	uint32_t config_words;                 /**< Words of `config` that the core has. */
	uintptr_t address[PROTECTION_ENTRIES]; /**< Only those in use are valid. */
	union {
		uintptr_t config[PROTECTION_ENTRIES /
				 sizeof(uintptr_t)];     /**< As the core has them. */
		uint8_t config_byte[PROTECTION_ENTRIES]; /**< The same: a byte for each entry. */
	};
};

/** Find out what the calling hart has. Turns all its entries off. Interrupts are disabled.
 * @param[out] limits  Always written. */
void protection_probe(struct protection_limits *limits);

/** Begin a table without any region.
 * @param limits      From protection_probe(). With no entries the table stays empty, whatever is added.
 * @param[out] table  Always written. */
void protection_begin(const struct protection_limits *limits, struct protection_table *table);

/** Add a region behind those that a table has. It takes two entries. Where the first region is, protection_load() and
 * protection_move() say anew; all their bases and sizes are multiples of what its base and its size here are.
 * @param limits         As for protection_begin().
 * @param[in,out] table  Not valid any more when the result is not HAL_OK.
 * @param base           Its address; a multiple of the grain.
 * @param bytes          Its size, a multiple of the grain; 0: the region is left out.
 * @param rights         Masks of enum protection_right, ORed: what user mode may do there.
 * @return               HAL_ERR_INVALID_PARAM: the region is not aligned, or wraps around; HAL_ERR_UNSUPPORTED: more
 *                       entries are needed than there are. */
HAL_CHECKED enum hal_status protection_add(const struct protection_limits *limits,
					   struct protection_table *table, uintptr_t base,
					   uintptr_t bytes, uint32_t rights);

/** Put a table in place on the calling hart, for the next time it enters user mode.
 * @param base   Where its first region begins; a multiple of the grain.
 * @param bytes  Size of its first region; a multiple of the grain. */
void protection_load(const struct protection_table *table, uintptr_t base, uintptr_t bytes);

/** Move the first region of the table that is in place: cheaper than to load it again.
 * @param table  The table that was loaded last; with the two addresses as for protection_load(). */
void protection_move(const struct protection_table *table, uintptr_t base, uintptr_t bytes);

#endif /* HAL_PROTECTION_H */
