/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * End of CTAs of CGAs, and with the last of them of their CGAs (S1-R148…R151, S1-Q18). An SM that reports a
 * CTA has done its last access (S1-Q17), so the id of an innermost CGA and the memory of its members are free
 * with the report of its last CTA, and no late access can meet a stranger.
 */
#ifndef FIRMWARE_CP_CGA_CGA_END_H
#define FIRMWARE_CP_CGA_CGA_END_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** CTAs of a task of CGAs ended on an SM: give back what is free now; let go who waited for them, if they ended well.
 * @param starts  Lowest unit of each.
 * @param well    They did not fail, and were not stopped. */
void cga_end_ctas(const struct task *task, uint32_t sm, uint32_t starts, bool well);

#endif /* FIRMWARE_CP_CGA_CGA_END_H */
