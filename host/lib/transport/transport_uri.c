/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/transport/transport_uri.h"

#include <stdio.h>
#include <string.h>

#include "firmware/abi/ganger_abi.h"
#include "host/lib/transport/transport_file.h"
#include "host/lib/transport/transport_link.h"

int transport_of_uri(struct transport **transport, const char *uri, char *message, uint64_t size)
{
	if (strncmp(uri, "mmap:", 5) == 0)
		return transport_of_file(transport, uri + 5, message, size);
	if (strncmp(uri, "serial:", 7) == 0)
		return transport_of_link(transport, uri + 7, message, size);
	(void)snprintf(message, size, "%s is neither mmap:FILE@OFFSET nor serial:PORT", uri);
	return GG_ERR_UNSUPPORTED;
}
