/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Boot: finds the memory and the SMs, lays out device memory, starts the SMs, and tells the host.
 */
#ifndef FIRMWARE_CP_BOOT_H
#define FIRMWARE_CP_BOOT_H

#include <stdint.h>

/** Bring the device up. On return the capability block says READY, `device` is filled in, and interrupts are
 * enabled. Does not return on a machine that does not fit the image, or has too little memory: machine_refuse().
 * @param device_tree  Address of the flattened device tree, or 0. */
void boot(uintptr_t device_tree);

#endif /* FIRMWARE_CP_BOOT_H */
