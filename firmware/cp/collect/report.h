/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Reports of SMs, which say that CTAs have ended: releases the resources of the CTAs, and updates their task.
 */
#ifndef FIRMWARE_CP_COLLECT_REPORT_H
#define FIRMWARE_CP_COLLECT_REPORT_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/** Handle a report of an SM, or one that the CP made in its place. A report for a task that is not in its slot any
 * more is counted as unmatched, and changes nothing else. */
void report_take(uint32_t sm, const struct gg_report *report);

/** All SMs of a slot's wave have counted themselves: all its CTAs have ended well. */
void report_wave(uint32_t slot);

/** An SM has counted itself in a wave that is open: its CTAs of the wave have ended well. */
void report_counted(uint32_t slot, uint32_t sm);

#endif /* FIRMWARE_CP_COLLECT_REPORT_H */
