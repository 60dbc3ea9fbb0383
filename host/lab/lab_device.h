/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The device of the laboratory: register blocks in memory, a heap with TMDs, a clock that the simulation sets, and
 * the control processor's own files. One tick of the clock is a nanosecond.
 */
#ifndef HOST_LAB_LAB_DEVICE_H
#define HOST_LAB_LAB_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/device.h"
#include "host/lab/lab_work.h"

/** Nanoseconds since the device was made, plus 1000. Written by lab.c. */
extern uint64_t lab_now;

/** Basic blocks of the control processor's files that were executed so far. */
extern uint64_t lab_blocks;

/** Make the device, all SMs idle. Ends the program when there is not enough memory. */
void lab_device_init(const struct lab_setup *setup);

/** Take an SM that was interrupted since it was last taken, in no order. @return false when there is none. */
bool lab_device_rung(uint32_t *sm);

/** Write the TMD of a task, and post the command that submits it with the number of the task as its tag.
 * @return  false when the channel's ring is full: nothing was posted. */
bool lab_device_post(uint32_t number, const struct lab_task *task);

/** Take the next completion. @return false when there is none. */
bool lab_device_completion(struct gg_completion *done);

#endif /* HOST_LAB_LAB_DEVICE_H */
