/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What a task of type GRAPH has in device memory besides its TMD.
 *
 * In the job are descriptor, arguments and program. Behind the job, at a multiple of 64, are the
 * work space (blocks of arguments, transient buffers) and the report: the tail.
 */
#ifndef HOST_LIB_WORK_GRAPH_WORDS_H
#define HOST_LIB_WORK_GRAPH_WORDS_H

#include "host/include/ganger_graph.h"

#define GRAPH_ALIGN 64u /**< Alignment of the work space. */

/** Refuses what the words cannot hold. The device checks the rest. Sets the failure.
 * @return GG_ERR_TMD_TYPE, GG_ERR_ARGUMENT, GG_ERR_GRAPH_FORMAT. */
enum gg_status graph_check(const struct gg_work *work);

/** Bytes of descriptor, arguments and program, a multiple of 16; 0: no graph. */
uint32_t graph_bytes(const struct gg_work *work);

/** Bytes of work space and report. */
uint64_t graph_tail_bytes(const struct gg_work *work);

/** Bytes of the report, which is at the end of the tail. */
uint32_t graph_report_bytes(const struct gg_work *work);

/** Writes descriptor, arguments and program. @param address Their device address. @param tail
 * Device address of the work space. */
void graph_write(const struct gg_work *work, void *to, uint64_t address, uint64_t tail);

#endif /* HOST_LIB_WORK_GRAPH_WORDS_H */
