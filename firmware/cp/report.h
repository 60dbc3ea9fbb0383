/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Reports: what the end of CTAs means for their task.
 */
#ifndef FIRMWARE_CP_REPORT_H
#define FIRMWARE_CP_REPORT_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/task.h"

/** CTAs of a task ended on an SM; its resources are already free.
 * @param ctas  How many the report is of. */
void report_take(struct task *task, uint32_t sm, const struct gg_report *report, uint32_t ctas);

#endif /* FIRMWARE_CP_REPORT_H */
