/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Fault records of SMs that can write none themselves, because they take no interrupts.
 */
#ifndef FIRMWARE_CP_SMS_SM_FAULT_H
#define FIRMWARE_CP_SMS_SM_FAULT_H

#include <stdint.h>

#include "firmware/cp/task/task.h"

/** Write the next fault record of an SM: ERR_SM_LOST, without a place. Its hart is stopped, or not heard any more.
 * @param task  A task with CTAs on it, for tag and context of the record, or NULL.
 * @return      The sequence of the record. */
uint32_t sm_fault_write(uint32_t sm, const struct task *task);

#endif /* FIRMWARE_CP_SMS_SM_FAULT_H */
