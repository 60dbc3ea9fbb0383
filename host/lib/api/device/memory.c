/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between the caller's memory and device memory. */
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/memory.h"
#include "host/lib/transport/regs.h"

enum gg_status gg_write(struct gg_device *handle, uint64_t address, const void *data,
			uint64_t bytes)
{
	USE_DEVICE(device, handle);

	enum gg_status status = memory_check(device, address, bytes);

	if (status == GG_OK && device->observer)
		status = failure_status(GG_ERR_BUSY);
	if (status == GG_OK)
		status = memory_write(device, address, data, bytes);
	regs_fence();
	return status;
}

enum gg_status gg_read(struct gg_device *handle, uint64_t address, void *data, uint64_t bytes)
{
	USE_DEVICE(device, handle);

	enum gg_status status = memory_check(device, address, bytes);

	regs_fence();
	return status == GG_OK ? memory_read(device, address, data, bytes) : status;
}
