/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How many CGAs fit (S1-R44), in closed form: nothing is placed. It is the number that would be placed
 * one after the other (S1-Q33).
 */
#ifndef FIRMWARE_CP_CGA_CGA_COUNT_H
#define FIRMWARE_CP_CGA_CGA_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** How many top-level CGAs fit (S1-R44), one placed after the other. Changes nothing; not between
 * cga_place_begin() and the last cga_place_next() of a session.
 * @param sms   As above.
 * @param idle  Not now, but if all enabled SMs were idle.
 * @param most  Count no further; 1 answers whether it can ever fit (S1-Q10). */
uint32_t cga_count(const struct cga_shape *shape, const struct task_needs *needs,
		   const uint32_t *sms, bool idle, uint32_t most);

#endif /* FIRMWARE_CP_CGA_CGA_COUNT_H */
