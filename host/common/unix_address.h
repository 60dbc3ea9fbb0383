/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Addresses of Unix sockets.
 */
#ifndef HOST_COMMON_UNIX_ADDRESS_H
#define HOST_COMMON_UNIX_ADDRESS_H

#include <stdbool.h>
#include <sys/un.h>

#define UNIX_ADDRESS_BYTES (sizeof(((struct sockaddr_un *)0)->sun_path) - 1) /**< Longest path. */

/** Makes an address of a path. @return false: the path is too long. */
bool unix_address(struct sockaddr_un *address, const char *path);

#endif /* HOST_COMMON_UNIX_ADDRESS_H */
