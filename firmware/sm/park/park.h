/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * CTAs that are parked: their registers and their memory leave the SM for an area of the heap, and their units are for
 * others. They come back to the same units of the same SM, because pointers into their memory are addresses, and go on
 * where they were.
 *
 * A place of the area, of CAP.sm_area_bytes, is laid out as its own memory is: its units come first, then a
 * struct sm_cta for each lowest unit. Only the SM writes it. What comes back from there is trusted no more than a kernel: registers
 * and numbers that only the CTA sees, while its task and its place are those that the packet names.
 */
#ifndef FIRMWARE_SM_PARK_PARK_H
#define FIRMWARE_SM_PARK_PARK_H

#include "firmware/sm/sm.h"

/** Obey a packet with `park_save`: park those of its CTAs that are here and do not wait for the CP, and report them. Or one with
 * `park_restore`: take its CTAs back, whose units are free. */
void park_packet(struct sm *sm, const struct gg_packet *packet, struct sm_task *task);

#endif /* FIRMWARE_SM_PARK_PARK_H */
