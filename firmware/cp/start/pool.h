/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Divides the memory that grows with the number of tasks: the task pool, the name table, and the edges of
 * dependences between tasks.
 */
#ifndef FIRMWARE_CP_START_POOL_H
#define FIRMWARE_CP_START_POOL_H

#include <stdint.h>

#define POOL_EDGES 2u /**< Edges for each place of the task pool. */

/** Bytes of this memory that a task needs, its edges and its part of the name table included; rounded up. */
uint32_t pool_bytes_of_a_task(void);

/** Divide the memory, and initialize all three as empty.
 * @param memory  Aligned to 16 bytes.
 * @param bytes   Its size. */
void pool_init(void *memory, uint64_t bytes);

#endif /* FIRMWARE_CP_START_POOL_H */
