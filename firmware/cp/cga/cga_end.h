/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The end of CTAs of CGAs; a CGA ends with its last CTA (S1-R148…R151, S1-Q18). A CTA that an SM reports has done
 * its last memory access (S1-Q17). So the id of an innermost CGA and the memory of its members are free when its
 * last CTA is reported, and no late access can hit memory that belongs to another CTA.
 */
#ifndef FIRMWARE_CP_CGA_CGA_END_H
#define FIRMWARE_CP_CGA_CGA_END_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Handle that CTAs of a task of CGAs ended on an SM: give back the resources that are free now, and release CTAs
 * that waited for them at a barrier.
 * @param starts  Lowest unit of each, a bit each.
 * @param well    Whether they ended without error and were not stopped; if not, no barrier of their CGAs is
 *   released. */
void cga_end_ctas(struct task *task, uint32_t sm, uint32_t starts, bool well);

/** Handle that all CTAs of a CGA that was launched as a wave have ended, and their resources were given back.
 * @param slot  Slot of its task. */
void cga_end_wave(uint32_t slot);

#endif /* FIRMWARE_CP_CGA_CGA_END_H */
