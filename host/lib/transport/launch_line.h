/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Makes the options of a broker from those of gg_device_boot().
 */
#ifndef HOST_LIB_TRANSPORT_LAUNCH_LINE_H
#define HOST_LIB_TRANSPORT_LAUNCH_LINE_H

#include "host/include/ganger_device.h"
#include "host/lib/transport/broker_client.h"

/** The options and what they point to. */
struct launch_line {
	struct broker_options options;
	uint32_t timeout_ms;
	char program[4096];
	char board[4096];
	const char **extra; /**< QEMU's arguments, ended by NULL. */
};

/** Fills the options, with defaults for what is 0 in `boot`. `listen` may be NULL. Sets the
 * failure. @return GG_ERR_BOARD, GG_ERR_IMAGE_MISSING, GG_ERR_ARGUMENT, GG_ERR_NO_MEMORY. */
enum gg_status launch_line_make(struct launch_line *line, const struct gg_boot *boot,
				const char *listen);

/** Frees what the options point to. */
void launch_line_clear(struct launch_line *line);

#endif /* HOST_LIB_TRANSPORT_LAUNCH_LINE_H */
