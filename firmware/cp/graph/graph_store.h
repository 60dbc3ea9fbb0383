/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Memory of task graphs: private to the CP, cut into blocks of any size (S2-Q3).
 *
 * The size of a graph is known only after it was made. So one job at a time opens all of the largest free part, makes
 * its graph there, and then gives back what the graph does not need.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_STORE_H
#define FIRMWARE_CP_GRAPH_GRAPH_STORE_H

#include <stdbool.h>
#include <stdint.h>

/** Initialize the memory as free.
 * @param memory  Aligned to 16 bytes.
 * @param bytes   Its size; 0 for none. */
void graph_store_init(void *memory, uint64_t bytes);

/** Open a block: the largest free part.
 * @param[out] bytes  Its size.
 * @return  The block, aligned to 16 bytes; NULL while another block is open, or when nothing is free. */
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

/** Give back a block, open or closed. */
void graph_store_free(void *block);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_STORE_H */
