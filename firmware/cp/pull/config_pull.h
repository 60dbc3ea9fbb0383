/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The fields of CONFIG for PULL grids (S4-R58, R62, R76, R79).
 */
#ifndef FIRMWARE_CP_PULL_CONFIG_PULL_H
#define FIRMWARE_CP_PULL_CONFIG_PULL_H

#include "firmware/cp/pull/pull_place.h"
#include "firmware/cp/task/task.h"

/** Read and check the settings that the host wrote into CONFIG.
 * @param[out] wanted  The settings; valid when nothing is refused.
 * @return             GG_ERR_CONFIG with the field when one is out of range. */
struct refusal config_pull_read(struct pull_settings *wanted);

#endif /* FIRMWARE_CP_PULL_CONFIG_PULL_H */
