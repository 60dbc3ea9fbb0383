/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between the caller's memory and device memory; device memory as a file. */
#include <errno.h>
#include <string.h>

#include "host/lib/core/failure.h"
#include "host/lib/mailbox/memory.h"
#include "host/lib/transport/regs.h"

static enum gg_status write_to(struct device *device, uint64_t address, const void *data,
			       uint64_t bytes)
{
	enum gg_status status = memory_check(device, address, bytes);

	if (status == GG_OK && device->observer)
		status = failure_status(GG_ERR_BUSY);
	if (status == GG_OK)
		status = memory_write(device, address, data, bytes);
	regs_fence();
	return status;
}

static enum gg_status read_from(const struct device *device, uint64_t address, void *data,
				uint64_t bytes)
{
	enum gg_status status = memory_check(device, address, bytes);

	regs_fence();
	return status == GG_OK ? memory_read(device, address, data, bytes) : status;
}

enum gg_status gg_write(struct gg_device *handle, uint64_t address, const void *data,
			uint64_t bytes)
{
	USE_DEVICE(device, handle);
	NEEDS_FOR(bytes > 0, data);

	return write_to(device, address, data, bytes);
}

enum gg_status gg_read(struct gg_device *handle, uint64_t address, void *data, uint64_t bytes)
{
	USE_DEVICE(device, handle);
	NEEDS_FOR(bytes > 0, data);

	return read_from(device, address, data, bytes);
}

enum gg_status gg_context_write(struct gg_context *handle, uint64_t address, const void *data,
				uint64_t bytes)
{
	USE_CONTEXT(context, handle);
	NEEDS_FOR(bytes > 0, data);

	enum gg_status status = memory_check_context(context, "address", address, bytes);

	return status == GG_OK ? write_to(context->device, address, data, bytes) : status;
}

enum gg_status gg_context_read(struct gg_context *handle, uint64_t address, void *data,
			       uint64_t bytes)
{
	USE_CONTEXT(context, handle);
	NEEDS_FOR(bytes > 0, data);

	enum gg_status status = memory_check_context(context, "address", address, bytes);

	return status == GG_OK ? read_from(context->device, address, data, bytes) : status;
}

enum gg_status gg_memory_share(struct gg_device *handle, uint64_t address, uint64_t bytes,
			       int *file, uint64_t *offset)
{
	USE_DEVICE(device, handle);
	NEEDS(file, offset);

	enum gg_status status = memory_check(device, address, bytes);
	uint64_t all;
	int shared;

	if (status != GG_OK)
		return status;
	if (device->observer)
		return failure_status(GG_ERR_BUSY);
	if (!transport_ram(device->transport, &all))
		return failure_set(
			GG_ERR_UNSUPPORTED, "address", address,
			"The device is at the end of a line and shares no memory with its host; "
			"what is there has to be read and written instead");
	shared = transport_share(device->transport, offset);
	if (shared < 0)
		return failure_set(GG_ERR_IO, "address", address,
				   "The file of device memory cannot be opened again: %s",
				   strerror(errno));
	*file = shared;
	*offset += address - device->place.ram;
	return GG_OK;
}
