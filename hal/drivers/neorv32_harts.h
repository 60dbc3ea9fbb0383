/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The second hart of a NEORV32, which its boot ROM keeps asleep. neorv32_harts.c is hart_gather() of
 * hal/hart.h; it needs the addresses of hal/drivers/clint.h, too. neorv32_machine.c is hal/machine.h.
 */
#ifndef HAL_DRIVERS_NEORV32_HARTS_H
#define HAL_DRIVERS_NEORV32_HARTS_H

#include <stdint.h>

/** Constants of a board: where the devices are. */
struct neorv32_harts_map {
	uintptr_t sysinfo;   /**< SYSINFO: CLK, MISC, SOC, CACHE. */
	uint32_t wait_polls; /**< Reads of MSWI before the hart counts as absent. */
};

extern const struct neorv32_harts_map board_neorv32_harts;

/** Harts that the processor was built with: 1 or 2. */
uint32_t neorv32_harts_built_in(void);

#endif /* HAL_DRIVERS_NEORV32_HARTS_H */
