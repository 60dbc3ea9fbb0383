/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Finds and checks the capability block: that it is one, that this host knows its ABI, that its
 * numbers make sense.
 */
#ifndef HOST_LIB_TRANSPORT_LAYOUT_H
#define HOST_LIB_TRANSPORT_LAYOUT_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/** Device addresses of RAM and of the capability block in it. */
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

/** Finds the capability block in mapped memory whose device address is not known, and takes the
 * addresses from it. `place->ram_bytes` is given. Sets the failure. @return GG_ERR_ABI_MAGIC. */
enum gg_status layout_find(uint8_t *ram, struct place *place);

#endif /* HOST_LIB_TRANSPORT_LAYOUT_H */
