/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Checks of graph programs, by the very files that the control processor checks them with.
 */
#ifndef HOST_LIB_API_GRAPH_CHECK_H
#define HOST_LIB_API_GRAPH_CHECK_H

#include "firmware/abi/ganger_abi.h"

/** Checks the header of a program, and that its tables are in it.
 * @param program  Aligned to 8.
 * @return GG_OK, or the failure that was set: GG_ERR_GRAPH_FORMAT with the field of the header. */
enum gg_status program_check_tables(const void *program, uint32_t bytes);

#endif /* HOST_LIB_API_GRAPH_CHECK_H */
