/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The start of an SM: at boot, and again after it was reset (S1-R100).
 */
#ifndef FIRMWARE_CP_SMS_SM_START_H
#define FIRMWARE_CP_SMS_SM_START_H

#include <stdint.h>

#include "firmware/sm/sm_boot.h"
#include "hal/status.h"

/** Prepare an SM for its first start: it has written no fault record; or for the one after a restart of the CP.
 * @param area  Device address of its runtime (firmware/sm/sm_area.h). */
void sm_start_prepare(uint32_t sm, uint64_t area);

/** What an SM is told when it starts. It writes its count of faults there, as long as its hart runs and is heard. */
struct sm_boot *sm_start_argument(uint32_t sm);

/** Start the hart of an SM, which is stopped. The SM tells through its words that it runs, and rings.
 * @return  As hart_start(). */
HAL_CHECKED enum hal_status sm_start(uint32_t sm);

#endif /* FIRMWARE_CP_SMS_SM_START_H */
