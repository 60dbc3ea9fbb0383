/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The few things that firmware wants from a flattened device tree (Devicetree Specification 0.4,
 * chapter 5), read in one pass.
 *
 * Nothing in the tree is trusted: every offset, size and name is checked against the block before
 * it is followed, so a damaged tree is refused and never read past its end. Plain C without
 * addresses of its own: also compiled for the host, for tests and fuzzers.
 */
#ifndef HAL_DRIVERS_FDT_H
#define HAL_DRIVERS_FDT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FDT_BYTES_MAX (2u << 20) /**< No tree is larger; the standard sets no bound. */

struct fdt_summary {
	uint64_t ram_base;  /**< The memory bank that holds the address of the question. */
	uint64_t ram_bytes; /**< Its size, not 0. */
	uint32_t harts;     /**< Nodes /cpus/cpu@… that are not disabled, not 0. */
	uint32_t
		timebase_hz; /**< Ticks of the machine timer in a second; 0: the tree does not say. */
};

/** Read a tree.
 * @param blob          The tree; any alignment.
 * @param limit         Bytes that may be read from there.
 * @param address       Which memory bank is asked for.
 * @param[out] summary  Valid only when the result is true.
 * @return              false: no tree, a damaged one, or one without that memory or without
 *                      harts. */
bool fdt_summarize(const uint8_t *blob, size_t limit, uint64_t address,
		   struct fdt_summary *summary);

#endif /* HAL_DRIVERS_FDT_H */
