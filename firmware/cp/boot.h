/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Boot: find memory and SMs, lay out the device, start the SMs, tell the host.
 */
#ifndef FIRMWARE_CP_BOOT_H
#define FIRMWARE_CP_BOOT_H

#include <stdint.h>

/** Bring the device up; afterwards the capability block says READY, and `device` is complete.
 * Interrupts are on. Without memory for a device it ends in a panic.
 * @param device_tree  Address of the flattened device tree, or 0. */
void boot(uintptr_t device_tree);

#endif /* FIRMWARE_CP_BOOT_H */
