/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Memory of everything that there is one of for each task: the task pool, the directory of names,
 * the edges between tasks.
 */
#ifndef FIRMWARE_CP_START_POOL_H
#define FIRMWARE_CP_START_POOL_H

#include <stdint.h>

#define POOL_EDGES 2u /**< Edges for each place of the task pool. */

/** Bytes that one task takes of the memory, rounded up. */
uint32_t pool_bytes_of_a_task(void);

/** Share out the memory; all of it is empty then.
 * @param memory  Aligned to 16.
 * @param bytes   Its size. */
void pool_init(void *memory, uint64_t bytes);

#endif /* FIRMWARE_CP_START_POOL_H */
