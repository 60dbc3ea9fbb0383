/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A line of bytes of this machine: a serial port, or a Unix socket with an emulator or a test at
 * its other end.
 */
#ifndef HOST_LIB_TRANSPORT_SERIAL_H
#define HOST_LIB_TRANSPORT_SERIAL_H

#include <stddef.h>

#include "host/lib/transport/link.h"

/** Open a line.
 * @param place    "/dev/ttyUSB0", "/dev/ttyUSB0,921600" (bits a second, else 115200: 8 bits, no
 *                 parity), "unix:PATH".
 * @param[out] line  With the waits for that speed.
 * @param message  What went wrong, in words, when the result is not GG_OK.
 * @return GG_OK, GG_ERR_ARGUMENT, GG_ERR_NO_DEVICE, GG_ERR_BUSY (in use by another process),
 *         GG_ERR_NO_MEMORY. */
__attribute__((warn_unused_result)) int serial_open(struct link_line *line, const char *place,
						    char *message, size_t size);

/** The line's descriptor, for poll(). */
int serial_descriptor(const struct link_line *line);

/** Close the line. */
void serial_close(struct link_line *line);

#endif /* HOST_LIB_TRANSPORT_SERIAL_H */
