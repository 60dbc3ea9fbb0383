/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Layout of device memory, worked out once at boot from the memory and the SMs that were found.
 *
 *      abi ▸ capability block, register blocks │ SM runtimes │ SM units │ task pool │ heap ▸ end
 *
 * Places in the first part are told to the host as offsets in the capability block.
 */
#ifndef FIRMWARE_CP_START_LAYOUT_H
#define FIRMWARE_CP_START_LAYOUT_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/device.h"

#define LAYOUT_PAGE 4096u /**< Parts begin on pages. */

/** What the layout is made for. */
struct layout_input {
	uint64_t abi_base;         /**< Address of the capability block; on a page. */
	uint64_t memory_end;       /**< End of memory that may be used. */
	uint32_t sms;              /**< SMs, 1 to CP_SMS. */
	uint32_t sm_area_bytes;    /**< Memory of an SM: runtime and units; a multiple of a page. */
	uint32_t sm_runtime_bytes; /**< Its runtime's part of that; a multiple of a page. */
};

/** Where the parts are. */
struct layout {
	uint64_t runtimes;     /**< First SM's runtime; the others follow. */
	uint64_t units;        /**< First SM's units; the others follow. */
	uint64_t pool;         /**< Task pool. */
	uint64_t pool_bytes;   /**< Its bytes. */
	uint64_t graphs;       /**< Memory of task graphs. */
	uint64_t graphs_bytes; /**< Its bytes. */
	uint64_t heap;         /**< What the host may allocate. */
	uint64_t heap_bytes;   /**< Its bytes. */
};

/** Work out the layout, and write it into a capability block: offsets, limits, addresses.
 * @param cap  Cleared; the capability block itself, or a copy.
 * @return     GG_OK, or GG_ERR_NO_MEMORY when memory is too small for these SMs. */
enum gg_status layout_make(const struct layout_input *input, struct gg_cap *cap,
			   struct layout *layout);

/** Point the map of the device at the blocks.
 * @param base  Where the CP sees the capability block. */
void layout_map(struct gg_cap *cap, unsigned char *base);

#endif /* FIRMWARE_CP_START_LAYOUT_H */
