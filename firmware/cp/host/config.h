/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Configuration: what the host may choose at run time (S0-R33, S0-R31, S1-R2), in the CONFIG
 * block. Checked whole, then applied: a refusal changes nothing.
 */
#ifndef FIRMWARE_CP_HOST_CONFIG_H
#define FIRMWARE_CP_HOST_CONFIG_H

#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Fill the CONFIG block with what is in force at boot. */
void config_init(void);

/** Apply parts of the CONFIG block.
 * @param parts  Bit n: enum gg_config_part n.
 * @return       Status, with the field and the value that were refused. */
struct refusal config_apply(uint32_t parts);

#endif /* FIRMWARE_CP_HOST_CONFIG_H */
