/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Layout of device memory, worked out once at boot from the memory and the SMs that were found.
 *
 *      abi ▸ capability block, register blocks │ SM runtimes │ SM units │ task pool │ graphs │ heap ▸ end
 *
 * The order of the register blocks is that of layout.c; warm_clear() relies on it: those through which hosts speak are before the
 * task table, and the fault records before CLUSTER.
 *
 * The capability block tells the host the offsets of the register blocks, and where the heap is.
 */
#ifndef FIRMWARE_CP_START_LAYOUT_H
#define FIRMWARE_CP_START_LAYOUT_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/device.h"

#define LAYOUT_PAGE 4096u /**< Bytes; every part of device memory begins on a page. */

/** What the layout depends on. */
struct layout_input {
	uint64_t abi_base;         /**< Address of the capability block; on a page. */
	uint64_t memory_end;       /**< First address behind the usable memory. */
	uint32_t sms;              /**< SMs, 1 to CP_SMS. */
	uint32_t sm_area_bytes;    /**< Memory of an SM: runtime and units; a multiple of a page. */
	uint32_t sm_runtime_bytes; /**< The runtime's part of it; a multiple of a page. */
};

/** Addresses and sizes of the parts. */
struct layout {
	uint64_t runtimes;     /**< First SM's runtime; the others follow. */
	uint64_t units;        /**< First SM's units; the others follow. */
	uint64_t pool;         /**< Task pool (pool.h). */
	uint64_t pool_bytes;   /**< Bytes of the task pool. */
	uint64_t graphs;       /**< Memory of task graphs (graph_store.h). */
	uint64_t graphs_bytes; /**< Bytes of that; 0 when graphs are not built in. */
	uint64_t heap;         /**< Heap: the memory that the host allocates from. */
	uint64_t heap_bytes;   /**< Bytes of the heap. */
};

/** Work out the layout, and write its offsets, limits and addresses into a capability block.
 * @param cap  The capability block or a copy of it; its geometry is set, and the rest is zero.
 * @return     GG_OK, or GG_ERR_NO_MEMORY when the memory is too small for these SMs. */
enum gg_status layout_make(const struct layout_input *input, struct gg_cap *cap,
			   struct layout *layout);

/** Set the pointers of `device` to the capability block and the register blocks.
 * @param base  Address of the capability block. */
void layout_map(struct gg_cap *cap, unsigned char *base);

#endif /* FIRMWARE_CP_START_LAYOUT_H */
