/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "host/lib/device.h"
#include "host/lib/failure.h"
#include "host/lib/regs.h"

void *device_pointer(const struct gg_device *device, uint64_t address, uint64_t bytes)
{
	const struct place *place = &device->place;

	if (address < place->ram || bytes > place->ram_bytes ||
	    address - place->ram > place->ram_bytes - bytes)
		return NULL;
	return device->ram + (address - place->ram);
}

static enum gg_status outside(uint64_t address, uint64_t bytes)
{
	return failure_set(GG_ERR_ARGUMENT, "address", address,
			   "%llu bytes at 0x%llx are not in device memory",
			   (unsigned long long)bytes, (unsigned long long)address);
}

enum gg_status gg_write(struct gg_device *device, uint64_t address, const void *data,
			uint64_t bytes)
{
	void *to = device_pointer(device, address, bytes);

	if (!to)
		return outside(address, bytes);
	if (device->observer)
		return failure_status(GG_ERR_BUSY);
	memcpy(to, data, bytes);
	regs_fence();
	return GG_OK;
}

enum gg_status gg_read(struct gg_device *device, uint64_t address, void *data, uint64_t bytes)
{
	const void *from = device_pointer(device, address, bytes);

	if (!from)
		return outside(address, bytes);
	regs_fence();
	memcpy(data, from, bytes);
	return GG_OK;
}
