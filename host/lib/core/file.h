/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Reads whole files into memory.
 */
#ifndef HOST_LIB_CORE_FILE_H
#define HOST_LIB_CORE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/** Reads a regular file; the caller frees. Sets the failure. @return GG_ERR_IO, _NO_MEMORY. */
enum gg_status file_read(const char *path, uint8_t **data, size_t *bytes);

#endif /* HOST_LIB_CORE_FILE_H */
