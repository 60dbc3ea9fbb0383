/* SPDX-License-Identifier: Apache-2.0 */
#include "host/common/unix_address.h"

#include <string.h>
#include <sys/socket.h>

bool unix_address(struct sockaddr_un *address, const char *path)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) > UNIX_ADDRESS_BYTES)
		return false;
	memcpy(address->sun_path, path, strlen(path) + 1);
	return true;
}
