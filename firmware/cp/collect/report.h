/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Reports of SMs: CTAs have ended. What that means for the SM's resources, and for their task.
 */
#ifndef FIRMWARE_CP_COLLECT_REPORT_H
#define FIRMWARE_CP_COLLECT_REPORT_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/** Take a report: an SM's, or one in the place of an SM that was lost. A report of a task that is not in its
 * slot any more is counted as unmatched, and changes nothing else. */
void report_take(uint32_t sm, const struct gg_report *report);

#endif /* FIRMWARE_CP_COLLECT_REPORT_H */
