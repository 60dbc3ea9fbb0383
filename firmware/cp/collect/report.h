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

#endif /* FIRMWARE_CP_COLLECT_REPORT_H */
