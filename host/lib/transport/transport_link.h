/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The transport to a device at the other end of a line of bytes, over which everything is copied;
 * or, where the host can map the device's memory, over which only the doorbells go.
 * Requests of several threads come one after the other.
 */
#ifndef HOST_LIB_TRANSPORT_TRANSPORT_LINK_H
#define HOST_LIB_TRANSPORT_TRANSPORT_LINK_H

#include "host/lib/transport/transport.h"

/** Opens a line and begins a session with the device.
 * @param place    "PORT[,BAUD]" or "unix:SOCKET": see serial_open(); with ",mmap:FILE[@OFFSET]" behind
 *                 it device memory is that window of a file.
 * @param message  What went wrong, in words, when the result is not GG_OK.
 * @return as transport_of_uri(). */
__attribute__((warn_unused_result)) int
transport_of_link(struct transport **transport, const char *place, char *message, uint64_t size);

#endif /* HOST_LIB_TRANSPORT_TRANSPORT_LINK_H */
