/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * CONFIG: its part PULL (S4-R58, R62, R76, R79).
 */
#ifndef FIRMWARE_CP_PULL_CONFIG_PULL_H
#define FIRMWARE_CP_PULL_CONFIG_PULL_H

#include "firmware/cp/pull/pull_place.h"
#include "firmware/cp/task/task.h"

/** Read and check what the host wants.
 * @param[out] wanted  Valid when nothing is refused. */
struct refusal config_pull_read(struct pull_settings *wanted);

#endif /* FIRMWARE_CP_PULL_CONFIG_PULL_H */
