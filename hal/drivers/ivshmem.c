/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/ivshmem.h"

#include <stddef.h>

#include "hal/doorbell.h"
#include "hal/fence.h"
#include "hal/mmio.h"

#define PCI_DEVICES          32u /**< On one bus. Function 0 of each is looked at. */
#define PCI_DEVICE_BYTES     (1u << 15)
#define PCI_ID               0x00u
#define PCI_COMMAND          0x04u
#define PCI_BAR0             0x10u
#define PCI_BAR1             0x14u
#define PCI_BAR2             0x18u
#define PCI_BAR3             0x1cu /**< Upper half of BAR 2. */
#define PCI_CAPABILITIES     0x34u
#define PCI_CAPABILITY_MSIX  0x11u
#define PCI_CAPABILITIES_MAX 48u     /**< As many as fit into 256 bytes. */
#define PCI_MEMORY_MASTER    0x0006u /**< Answers to memory accesses and makes its own. */

#define MSIX_ENABLE        0x80000000u
#define MSIX_FUNCTION_MASK 0x40000000u
#define IVSHMEM_ID         0x11101af4u
#define IVSHMEM_DOORBELL   0x0cu /**< In BAR 0: peer number << 16 | vector. */

/* Registers of the device (BAR 0); 0: there is none. Written by doorbell_init(). */
static uintptr_t doorbell_registers;

static uint32_t *config_word(uintptr_t device, uint32_t offset)
{
	return mmio_word(device, offset);
}

/* Configuration space of the device, or 0. */
static uintptr_t find_device(void)
{
	for (uint32_t device = 0; device < PCI_DEVICES; device++) {
		uintptr_t config = board_ivshmem.ecam + (uintptr_t)device * PCI_DEVICE_BYTES;

		if (mmio_read32(config_word(config, PCI_ID)) == IVSHMEM_ID) {
			return config;
		}
	}
	return 0;
}

/* First word of the MSI-X capability, or NULL. */
static uint32_t *find_msix(uintptr_t device)
{
	uint32_t next = mmio_read32(config_word(device, PCI_CAPABILITIES)) & 0xfc;

	for (uint32_t seen = 0; next != 0 && seen < PCI_CAPABILITIES_MAX; seen++) {
		uint32_t *capability = config_word(device, next);
		uint32_t head = mmio_read32(capability);

		if ((head & 0xff) == PCI_CAPABILITY_MSIX) {
			return capability;
		}
		next = head >> 8 & 0xfc;
	}
	return NULL;
}

static void place_windows(uintptr_t device)
{
	mmio_write32(config_word(device, PCI_BAR0), board_ivshmem.registers);
	mmio_write32(config_word(device, PCI_BAR1), board_ivshmem.msix_table);
	mmio_write32(config_word(device, PCI_BAR2), board_ivshmem.shared_memory);
	mmio_write32(config_word(device, PCI_BAR3), 0);

	uint32_t *command = config_word(device, PCI_COMMAND);

	/* The upper half is status, whose bits are cleared by writing ones. So zeros are written. */
	mmio_write32(command, (mmio_read32(command) & 0xffff) | PCI_MEMORY_MASTER);
}

/* Message 0: write 1 to msip of hart 0. */
static void aim_message(void)
{
	uintptr_t entry = board_ivshmem.msix_table;

	mmio_write32(mmio_word(entry, 0), board_ivshmem.message_address);
	mmio_write32(mmio_word(entry, 4), 0);
	mmio_write32(mmio_word(entry, 8), 1);
	mmio_write32(mmio_word(entry, 12), 0); /* not masked */
}

bool doorbell_init(void)
{
	uintptr_t device = find_device();
	uint32_t *msix = device == 0 ? NULL : find_msix(device);

	if (msix == NULL) {
		return false;
	}
	place_windows(device);
	aim_message();
	mmio_write32(msix, (mmio_read32(msix) & ~MSIX_FUNCTION_MASK) | MSIX_ENABLE);
	doorbell_registers = board_ivshmem.registers;
	return true;
}

bool doorbell_present(void)
{
	return doorbell_registers != 0;
}

/* There is no external interrupt. */
void doorbell_answer(void)
{
}

void doorbell_ring_host(void)
{
	if (doorbell_registers == 0) {
		return;
	}
	fence_full();
	mmio_write32(mmio_word(doorbell_registers, IVSHMEM_DOORBELL),
		     board_ivshmem.host_peer << 16);
}
