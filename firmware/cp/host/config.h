/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Configuration: what the host may choose at run time in the CONFIG block, such as the mode (S0-R33), the priority
 * list of SMs (S0-R31) and their groups (S1-R2). All parts are checked before one is applied, so a refusal changes
 * nothing.
 */
#ifndef FIRMWARE_CP_HOST_CONFIG_H
#define FIRMWARE_CP_HOST_CONFIG_H

#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Fill the CONFIG block with the settings at boot. */
void config_init(void);

/** Apply parts of the CONFIG block.
 * @param parts  Bit n: enum gg_config_part n.
 * @return       GG_OK; or the status, field and value of the refusal. */
struct refusal config_apply(uint32_t parts);

#endif /* FIRMWARE_CP_HOST_CONFIG_H */
