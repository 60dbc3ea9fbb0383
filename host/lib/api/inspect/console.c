/* SPDX-License-Identifier: Apache-2.0 */
#include "host/common/console.h"
#include "host/include/ganger_inspect.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/device.h"
#include "host/lib/transport/transport_broker.h"

enum gg_status gg_console_read(struct gg_device *handle, char *text, size_t size, size_t *bytes)
{
	USE_DEVICE(device, handle);
	NEEDS(bytes);
	NEEDS_FOR(size > 0, text);

	const struct console_memory *console = transport_console(device->transport);

	*bytes = 0;
	if (!console)
		return GG_OK;
	(void)pthread_mutex_lock(&device->lock);
	*bytes = console_copy(console, &device->console_next, text, size);
	(void)pthread_mutex_unlock(&device->lock);
	return GG_OK;
}
