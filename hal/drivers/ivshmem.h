/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * QEMU's ivshmem-doorbell PCI device, used only as a doorbell. ivshmem.c is hal/doorbell.h.
 *
 * Its one MSI-X message is made to write the CLINT's msip word of hart 0, so a ring of the host
 * is a software interrupt, without an interrupt controller in between.
 */
#ifndef HAL_DRIVERS_IVSHMEM_H
#define HAL_DRIVERS_IVSHMEM_H

#include <stdint.h>

/** Constants of a board: where PCI is, and what the doorbell writes. */
struct ivshmem_map {
	uintptr_t ecam;           /**< Configuration space of bus 0. */
	uint32_t registers;       /**< PCI address for BAR 0, the device's registers. */
	uint32_t msix_table;      /**< PCI address for BAR 1. */
	uint32_t shared_memory;   /**< PCI address for BAR 2. Not used, but it must not overlap. */
	uint32_t message_address; /**< Where a ring of the host writes: msip of hart 0. */
	uint32_t host_peer;       /**< The host's peer number. */
};

extern const struct ivshmem_map board_ivshmem;

#endif /* HAL_DRIVERS_IVSHMEM_H */
