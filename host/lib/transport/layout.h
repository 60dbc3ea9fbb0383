/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The capability block: is it one, do we know its ABI, do its numbers make sense.
 */
#ifndef HOST_LIB_TRANSPORT_LAYOUT_H
#define HOST_LIB_TRANSPORT_LAYOUT_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/** Where RAM is, as device addresses, and where the capability block is in it. */
struct place {
	uint64_t ram;       /**< First address. */
	uint64_t ram_bytes; /**< Bytes of RAM. */
	uint64_t window;    /**< Address of the capability block, inside RAM. */
};

/**
 * Checks a copy of the capability block of a ready device: version, limits, and that every block
 * and the heap lie where they may. Sets the failure.
 * @return GG_ERR_ABI_MAGIC, GG_ERR_ABI_VERSION.
 */
enum gg_status layout_check(const struct gg_cap *cap, const struct place *place);

/**
 * Finds the capability block in memory of which only its bytes are known, and with it the
 * addresses. Sets the failure. @return GG_ERR_ABI_MAGIC.
 */
enum gg_status layout_find(uint8_t *ram, struct place *place);

#endif /* HOST_LIB_TRANSPORT_LAYOUT_H */
