/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Names and sentences of the ABI's statuses and fields.
 */
#ifndef HOST_LIB_CORE_NAMES_H
#define HOST_LIB_CORE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/** Name of a status and its sentence, as gg_status_name() and gg_status_text(). */
const char *status_name(int32_t status);
const char *status_text(int32_t status);

/** Name of a field id, as gg_field_name(). */
enum gg_status field_name(uint32_t field, char *name, size_t size);

#endif /* HOST_LIB_CORE_NAMES_H */
