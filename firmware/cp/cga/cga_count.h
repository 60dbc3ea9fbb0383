/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How many CGAs fit (S1-R44), computed in closed form without placing any. The number is the same as if they were
 * placed one after the other (S1-Q33).
 */
#ifndef FIRMWARE_CP_CGA_CGA_COUNT_H
#define FIRMWARE_CP_CGA_CGA_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** How many top-level CGAs fit (S1-R44). Changes nothing, but must not be called between cga_place_begin() and the
 * last cga_place_next() of a session.
 * @param needs  Resources that a CTA takes.
 * @param sms    SMs that may be used, a bitmap by number; NULL for all.
 * @param idle   Whether to count as if all enabled SMs were idle.
 * @param most   Largest number to return; 1 answers whether a CGA can ever fit (S1-Q10). */
uint32_t cga_count(const struct cga_shape *shape, const struct task_needs *needs,
		   const uint32_t *sms, bool idle, uint32_t most);

#endif /* FIRMWARE_CP_CGA_CGA_COUNT_H */
