/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The report of a graph (S2-R38): one entry a pass, and sums.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_REPORT_H
#define FIRMWARE_CP_GRAPH_GRAPH_REPORT_H

#include "firmware/cp/graph/graph_job.h"

/** Write the report, as far as there is room for it, in pieces; `cursor` as in firmware/graph/order.h. */
void graph_report_write(struct task *task, uint32_t *cursor, uint32_t budget);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_REPORT_H */
