/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The transport to a device whose memory is a window of a file: /dev/mem, a UIO or PCIe resource,
 * the RAM file of an emulator. Memory is mapped. Doorbell and interrupt are words that both sides
 * look at, or there are none.
 */
#ifndef HOST_LIB_TRANSPORT_TRANSPORT_FILE_H
#define HOST_LIB_TRANSPORT_TRANSPORT_FILE_H

#include "host/lib/transport/transport.h"

/** Opens a window.
 * @param place    "FILE@OFFSET[,BYTES[,DOORBELL]]": see transport_of_uri().
 * @param message  What went wrong, in words, when the result is not GG_OK.
 * @return as transport_of_uri(). */
__attribute__((warn_unused_result)) int
transport_of_file(struct transport **transport, const char *place, char *message, uint64_t size);

/** Maps a window as the memory of a transport that has a line for its doorbells.
 * @param place    "FILE[@OFFSET]": where device memory begins in the file.
 * @param bytes    Bytes of device memory.
 * @param message  What went wrong, in words, when the result is not GG_OK.
 * @return GG_OK, GG_ERR_ARGUMENT (also when the file ends before), GG_ERR_NO_DEVICE, GG_ERR_IO. */
__attribute__((warn_unused_result)) int transport_map_window(struct transport *transport,
							     const char *place, uint64_t bytes,
							     char *message, uint64_t size);

#endif /* HOST_LIB_TRANSPORT_TRANSPORT_FILE_H */
