/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/memory.h"

#include "host/lib/core/failure.h"
#include "host/lib/core/names.h"
#include "host/lib/transport/transport.h"

#define CLEAR_BYTES 4096u /* zeros that are written at a time; over a line by their number */

enum gg_status memory_check(const struct device *device, uint64_t address, uint64_t bytes)
{
	const struct place *place = &device->place;

	if (address >= place->ram && bytes <= place->ram_bytes &&
	    address - place->ram <= place->ram_bytes - bytes)
		return GG_OK;
	return failure_set(GG_ERR_ARGUMENT, "address", address,
			   "%llu bytes at 0x%llx are not in device memory",
			   (unsigned long long)bytes, (unsigned long long)address);
}

enum gg_status memory_check_context(const struct context *context, const char *name,
				    uint64_t address, uint64_t bytes)
{
	if (address >= context->start && address - context->start <= context->bytes &&
	    bytes <= context->bytes - (address - context->start))
		return GG_OK;
	return failure_set(GG_ERR_ARGUMENT, name, address,
			   "These %llu bytes are not all in the context's memory",
			   (unsigned long long)bytes);
}

/** Sets the failure of a copy. A device at the end of a line may refuse parts of its memory. */
static enum gg_status copied(const struct device *device, int status, uint64_t address)
{
	if (status == GG_OK)
		return GG_OK;
	if (status == GG_ERR_DEVICE_LOST)
		return device_failure(device, GG_ERR_DEVICE_LOST, "device memory");
	return failure_set((enum gg_status)status, "address", address,
			   "The device does not let its host reach 0x%llx: %s",
			   (unsigned long long)address, status_text((enum gg_status)status));
}

enum gg_status memory_read(const struct device *device, uint64_t address, void *data,
			   uint64_t bytes)
{
	enum gg_status status = memory_check(device, address, bytes);

	if (status != GG_OK)
		return status;
	return copied(device,
		      transport_read(device->transport, address - device->place.ram, data, bytes),
		      address);
}

enum gg_status memory_write(const struct device *device, uint64_t address, const void *data,
			    uint64_t bytes)
{
	enum gg_status status = memory_check(device, address, bytes);

	if (status != GG_OK)
		return status;
	return copied(device,
		      transport_write(device->transport, address - device->place.ram, data, bytes),
		      address);
}

enum gg_status memory_clear(const struct device *device, uint64_t address, uint64_t bytes)
{
	static const uint8_t zeros[CLEAR_BYTES];
	enum gg_status status = GG_OK;

	while (status == GG_OK && bytes > 0) {
		const uint64_t step = bytes < CLEAR_BYTES ? bytes : CLEAR_BYTES;

		status = memory_write(device, address, zeros, step);
		address += step;
		bytes -= step;
	}
	return status;
}
