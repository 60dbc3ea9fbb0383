/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What a boot has to do that is not the first one (base/restart.h): SMs still run what they ran before.
 */
#ifndef FIRMWARE_CP_RECOVER_WARM_H
#define FIRMWARE_CP_RECOVER_WARM_H

#include <stdbool.h>
#include <stdint.h>

/** Whether the hart of an SM sleeps in the start code, so that it can be started. */
bool warm_sm_stopped(uint32_t sm);

/** Stop all SMs, as RESET_SM does: they find a request at their next interrupt. Returns when all of them sleep, or after
 * RESET_ANSWER_MS; those that still run are then forced where the machine can. The map of the device is valid, and interrupts
 * are disabled.
 * @return  SMs that run all the same. */
uint32_t warm_stop_sms(void);

/** Clear the register blocks, except those through which hosts speak, and the records of faults and of panics. SMs do not
 * run. */
void warm_clear(void);

#endif /* FIRMWARE_CP_RECOVER_WARM_H */
