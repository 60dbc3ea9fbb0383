/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The report of a graph (S2-R38): totals, and an entry for each pass.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_REPORT_H
#define FIRMWARE_CP_GRAPH_GRAPH_REPORT_H

#include "firmware/cp/graph/graph_job.h"

/** Write the report, as far as the memory that the descriptor names has room for it.
 * @param cursor  Progress, as in firmware/graph/order.h.
 * @param budget  Entries to write in this call, at most. */
void graph_report_write(struct task *task, uint32_t *cursor, uint32_t budget);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_REPORT_H */
