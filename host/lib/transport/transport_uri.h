/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A transport by the name of its place.
 */
#ifndef HOST_LIB_TRANSPORT_TRANSPORT_URI_H
#define HOST_LIB_TRANSPORT_TRANSPORT_URI_H

#include "host/lib/transport/transport.h"

/** Makes a transport of a place.
 * @param uri "mmap:FILE@OFFSET[,BYTES[,DOORBELL]]": numbers are decimal or 0x…; OFFSET is a
 * multiple of 4096; DOORBELL counts from OFFSET on; without BYTES all that follows is mapped. Or
 * "serial:PORT[,BAUD]", "serial:unix:SOCKET", either with ",mmap:FILE[@OFFSET]" behind it.
 * @param message What went wrong, in words, when the result is not GG_OK.
 * @return GG_OK, GG_ERR_ARGUMENT, GG_ERR_UNSUPPORTED (another kind), GG_ERR_NO_DEVICE, GG_ERR_BUSY,
 * GG_ERR_ABI_VERSION, GG_ERR_IO, GG_ERR_NO_MEMORY. */
__attribute__((warn_unused_result)) int
transport_of_uri(struct transport **transport, const char *uri, char *message, uint64_t size);

#endif /* HOST_LIB_TRANSPORT_TRANSPORT_URI_H */
