/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Memory of task graphs: private to the CP, cut into blocks of any size (S2-Q3).
 *
 * How large a graph gets is known only when it is made. So one maker at a time has all of the
 * largest free part; when it is done it gives back what it did not need.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_STORE_H
#define FIRMWARE_CP_GRAPH_GRAPH_STORE_H

#include <stdbool.h>
#include <stdint.h>

/** Take over the memory; nothing is in use then.
 * @param memory  Aligned to 16.
 * @param bytes   Its size; 0 for none. */
void graph_store_init(void *memory, uint64_t bytes);

/** Open a block: the largest free part.
 * @param[out] bytes  Its size.
 * @return  Aligned to 16; NULL while another block is open, or when nothing is free. */
void *graph_store_open(uint64_t *bytes);

/** Whether a block is open. */
bool graph_store_is_open(void);

/** Bytes of the largest free part; 0 for none. */
uint64_t graph_store_largest(void);

/** Blocks in use. */
uint32_t graph_store_blocks(void);

/** Counts, modulo 2^32, how often memory was given back, or the open block closed. */
uint32_t graph_store_changes(void);

/** Keep the first `used` bytes of the open block; the rest is free again. */
void graph_store_close(void *block, uint64_t used);

/** Give a block back, be it open or closed. */
void graph_store_free(void *block);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_STORE_H */
